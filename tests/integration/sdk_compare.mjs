// Holds what sdk-wire would send against what the vendors' own clients send for the same conversation: method, path,
// headers and every field of the JSON; and what it reads against what the clients read. A difference must stand in
// sdk_differences.json, with its reason, and each that stands there must have been met. Arguments: the program
// sdk-wire, and a file to write for the TypeScript compiler.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import OpenAI from 'openai';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { cases, input } from './sdk_cases.mjs';
import { typed } from './sdk_typed.mjs';

const ours = JSON.parse(execFileSync(process.argv[2], { input: JSON.stringify(input), maxBuffer: 1 << 28 }));
const explained = JSON.parse(readFileSync(new URL('./sdk_differences.json', import.meta.url))).map(d => ({ ...d, met: 0 }));
let failures = 0, fields = 0, requests = 0;
function failed(...what) {
    failures++;
    if (failures <= 30) console.log('FAILED', ...what);
}

console.warn = () => {}; // of parts that are no text, which is why they are read one by one

// ---- the recorder ----
let heard, answer;
const recorder = http.createServer((q, r) => {
    let body = '';
    q.setEncoding('utf8').on('data', d => body += d).on('end', () => {
        heard = { method: q.method, path: q.url, headers: q.headers, body };
        r.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
});
await new Promise(done => recorder.listen(0, '127.0.0.1', done));
const base = `http://127.0.0.1:${recorder.address().port}`;
const openai = new OpenAI({ baseURL: base + '/v1', apiKey: 'KEY', maxRetries: 0 });
const claude = new Anthropic({ baseURL: base, apiKey: 'KEY', maxRetries: 0 });
const google = new GoogleGenAI({ apiKey: 'KEY', httpOptions: { baseUrl: base, apiVersion: 'v1' } });

// ---- the conversation, said to each client as its documentation says it ----
const base64 = part => Buffer.from(part.hex, 'hex').toString('base64');
const url = part => `data:${part.mime};base64,${base64(part)}`;
const words = part => part.kind === 'facts' ? `[facts]\n${part.text}\n[end of facts]` : part.text;
const parsed = part => JSON.parse(part.text);
const system = n => n.messages.filter(m => m.author === 'system').map(m => m.parts.map(p => p.text).join('\n\n')).join('\n\n');
// The oldest images give way to words, where a model takes only so many.
function shortened(n, count) {
    for (const p of n.messages.flatMap(m => m.parts)) {
        if (p.kind === 'image' && count-- > 0) Object.assign(p, { kind: 'text', text: '(This earlier image was left out to keep the conversation short.)' });
    }
    return n;
}
const isSaid = p => p.kind === 'text' || p.kind === 'facts' || p.kind === 'image';

// Each: (neutral, the case's settings, what the client gave for each answer) -> what the client gives now.
const say = {
    async chat(n, one, given) {
        const messages = [];
        for (const m of n.messages) {
            const said = m.parts.filter(isSaid), calls = m.parts.filter(p => p.kind === 'call');
            if (m.author === 'system') messages.push({ role: one.settings?.chat?.system_role ?? 'system', content: m.parts[0].text });
            else if (m.author === 'tool') for (const p of m.parts) messages.push({ role: 'tool', tool_call_id: p.id, content: p.text });
            else if (m.author === 'user') messages.push({ role: 'user', content: said.length === 1 && said[0].kind !== 'image' ? words(said[0]) :
                said.map(p => p.kind === 'image' ? { type: 'image_url', image_url: { url: url(p) } } : { type: 'text', text: words(p) }) });
            else if (m.answer !== null) messages.push(given[m.answer].choices[0].message);
            else messages.push({ role: 'assistant', content: said.length ? said.map(words).join('\n\n') : null,
                                 ...(calls.length ? { tool_calls: calls.map(c => ({ id: c.id, type: 'function', function: { name: c.name, arguments: c.text } })) } : {}) });
        }
        const tools = n.tools.map(t => ({ type: 'function', function: { name: t.name, description: t.description, parameters: JSON.parse(t.schema) } }));
        const { output_tokens: limit, token_field: field = 'max_tokens' } = one.settings?.chat ?? {};
        return openai.chat.completions.create({ model: 'vendor-1', messages, ...(tools.length ? { tools } : {}), ...(limit ? { [field]: limit } : {}), ...one.knobs?.chat });
    },
    async responses(n, one, given) {
        const items = [];
        for (const m of n.messages) {
            const said = m.parts.filter(isSaid);
            if (m.author === 'tool') for (const p of m.parts) items.push({ type: 'function_call_output', call_id: p.id, output: p.text });
            else if (m.author === 'user') items.push({ role: 'user', content: said.map(p => p.kind === 'image' ? { type: 'input_image', image_url: url(p), detail: 'auto' } : { type: 'input_text', text: words(p) }) });
            else if (m.author === 'assistant' && m.answer !== null) items.push(...given[m.answer].output);
            else if (m.author === 'assistant') {
                if (said.length) items.push({ role: 'assistant', content: said.map(words).join('\n\n') });
                for (const p of m.parts) if (p.kind === 'call') items.push({ type: 'function_call', call_id: p.id, name: p.name, arguments: p.text });
            }
        }
        const tools = n.tools.map(t => ({ type: 'function', name: t.name, description: t.description, parameters: JSON.parse(t.schema), strict: false }));
        const limit = one.settings?.responses?.output_tokens;
        return openai.responses.create({ model: 'vendor-1', instructions: system(n), input: items, store: false, include: ['reasoning.encrypted_content'],
                                         ...(tools.length ? { tools } : {}), ...(limit ? { max_output_tokens: limit } : {}), ...one.knobs?.responses });
    },
    async gemini(n, one, given) {
        const contents = [];
        let calls = [];
        for (const m of n.messages) {
            if (m.author === 'user') contents.push({ role: 'user', parts: m.parts.map(p => p.kind === 'image' ? { inlineData: { mimeType: p.mime, data: base64(p) } } : { text: words(p) }) });
            else if (m.author === 'tool') contents.push({ role: 'user', parts: m.parts.map((p, i) => ({ functionResponse: { ...(calls[i]?.id === undefined ? {} : { id: calls[i].id }), name: p.name, response: parsed(p).error ? { error: parsed(p).error } : { output: parsed(p) } } })) });
            else if (m.author === 'assistant') {
                const own = m.answer === null ? null : given[m.answer];
                calls = own?.functionCalls ?? [];
                contents.push(own ? own.candidates[0].content :
                    { role: 'model', parts: m.parts.map(p => p.kind === 'call' ? { functionCall: { name: p.name, args: parsed(p) } } : { text: words(p) }) });
            }
        }
        const functionDeclarations = n.tools.map(t => ({ name: t.name, description: t.description, parametersJsonSchema: JSON.parse(t.schema) }));
        const limit = one.settings?.gemini?.output_tokens;
        return google.models.generateContent({ model: 'vendor-1', contents, config: { systemInstruction: system(n), ...(n.tools.length ? { tools: [{ functionDeclarations }] } : {}),
                                                                                      ...(limit ? { maxOutputTokens: limit } : {}), ...one.knobs?.gemini } });
    },
    async anthropic(n, one, given) {
        const messages = [];
        const kept = { type: 'ephemeral' }, mark = p => p.stable ? { cache_control: kept } : {};
        const put = (role, content) => messages.at(-1)?.role === role ? messages.at(-1).content.push(...content) : messages.push({ role, content });
        for (const m of n.messages) {
            if (m.author === 'tool') put('user', m.parts.map(p => ({ type: 'tool_result', tool_use_id: p.id, content: p.text, ...(parsed(p).error ? { is_error: true } : {}) })));
            else if (m.author === 'user') put('user', m.parts.map(p => p.kind === 'image' ? { type: 'image', source: { type: 'base64', media_type: p.mime, data: base64(p) }, ...mark(p) } : { type: 'text', text: words(p), ...mark(p) }));
            else if (m.author === 'assistant') put('assistant', m.answer !== null ? [...given[m.answer].content] :
                m.parts.map(p => p.kind === 'call' ? { type: 'tool_use', id: p.id, name: p.name, input: parsed(p) } : { type: 'text', text: words(p) }));
        }
        const tools = n.tools.map(t => ({ name: t.name, description: t.description, input_schema: JSON.parse(t.schema) }));
        // The vendor keeps what comes up to a mark. A conversation with tools goes on, from the turn that is its last now.
        const asked = messages.filter(m => m.role === 'user');
        for (const m of tools.length ? asked.slice(-2) : []) m.content.at(-1).cache_control = kept;
        const marks = JSON.stringify(messages).match(/"cache_control"/g)?.length ?? 0;
        if (marks > 3) failed('Anthropic takes four marks, of which the role\'s prompt has one:', marks + 1);
        return claude.messages.create({ model: 'vendor-1', max_tokens: one.settings?.anthropic?.output_tokens ?? 8192, messages,
                                        system: [{ type: 'text', text: system(n), cache_control: kept }],
                                        ...(tools.length ? { tools } : {}), ...one.knobs?.anthropic });
    },
};

// ---- differences ----
const rules = { // of the two values, where the list has no `ours` and `client`
    'a number': (a, b) => /^\d+$/.test(a) && b === undefined,
    joined: (a, b) => Array.isArray(b) && b.every(p => p.type === 'text') && b.map(p => p.text).join('\n\n') === a,
};
function difference(wire, where, a, b, at) {
    const path = where.replace(/\/\d+(?=\/|$)/g, '/*');
    const known = explained.find(d => d.wire.split(' ').includes(wire) && d.at === path &&
        (d.rule ? rules[d.rule](a, b) : isDeepStrictEqual(d.ours, a) && isDeepStrictEqual(d.client, b)));
    if (known) known.met++;
    else failed(at, `${path}: ours ${JSON.stringify(a)?.slice(0, 200)}, the client's ${JSON.stringify(b)?.slice(0, 200)}`);
}
function compare(wire, where, a, b, at) {
    if (a !== null && b !== null && typeof a === 'object' && typeof b === 'object' && Array.isArray(a) === Array.isArray(b) && (!Array.isArray(a) || a.length === b.length)) {
        const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
        for (const k of keys) compare(wire, `${where}/${k}`, a[k], b[k], at);
        return;
    }
    fields++;
    if (!isDeepStrictEqual(a, b)) difference(wire, where, a, b, at);
}

// ---- what the clients read, in our words ----
const read = {
    chat: g => ({ text: g.choices[0].message.content || g.choices[0].message.refusal || '', cut_off: g.choices[0].finish_reason === 'length',
                  calls: (g.choices[0].message.tool_calls ?? []).map(c => ({ id: c.id, name: c.function.name, arguments: c.function.arguments })),
                  usage: [g.usage.prompt_tokens, g.usage.completion_tokens, g.usage.prompt_tokens_details.cached_tokens, g.usage.completion_tokens_details.reasoning_tokens] }),
    responses: g => ({ text: g.output_text || g.output.flatMap(o => o.content ?? []).find(c => c.type === 'refusal')?.refusal || '',
                       cut_off: g.incomplete_details?.reason === 'max_output_tokens',
                       calls: g.output.filter(o => o.type === 'function_call').map(o => ({ id: o.call_id, name: o.name, arguments: o.arguments })),
                       usage: [g.usage.input_tokens, g.usage.output_tokens, g.usage.input_tokens_details.cached_tokens, g.usage.output_tokens_details.reasoning_tokens] }),
    gemini: g => ({ text: g.text ?? '', cut_off: g.candidates?.[0].finishReason === 'MAX_TOKENS',
                    calls: (g.functionCalls ?? []).map(c => ({ id: c.id, name: c.name, arguments: JSON.stringify(c.args) })),
                    usage: [g.usageMetadata.promptTokenCount, g.usageMetadata.candidatesTokenCount + g.usageMetadata.thoughtsTokenCount, g.usageMetadata.cachedContentTokenCount, g.usageMetadata.thoughtsTokenCount] }),
    anthropic: g => ({ text: g.content.filter(c => c.type === 'text').map(c => c.text).join(''), cut_off: g.stop_reason === 'max_tokens',
                       calls: g.content.filter(c => c.type === 'tool_use').map(c => ({ id: c.id, name: c.name, arguments: JSON.stringify(c.input) })),
                       usage: [g.usage.input_tokens + g.usage.cache_creation_input_tokens + g.usage.cache_read_input_tokens, g.usage.output_tokens, g.usage.cache_read_input_tokens,
                               g.usage.output_tokens_details.thinking_tokens] }),
};
function valid(text) {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}
// A call that was cut off is none, text of ours stands for a refusal without words, arguments are compared as JSON.
function compareReading(wire, mine, theirs, at) {
    const calls = list => list.map(c => ({ ...c, arguments: valid(c.arguments) }));
    const whole = theirs.cut_off ? theirs.calls.filter(c => valid(c.arguments)) : theirs.calls;
    if (mine.text !== theirs.text && !(theirs.text === '' && /^\((no answer|refused)/.test(mine.text))) failed(at, 'text:', mine.text, theirs.text);
    if (mine.cut_off !== theirs.cut_off) failed(at, 'cut off:', mine.cut_off);
    if (!isDeepStrictEqual(calls(mine.calls), calls(whole))) failed(at, 'calls:', JSON.stringify(mine.calls), JSON.stringify(whole));
    if (!isDeepStrictEqual(mine.usage, theirs.usage) || mine.usage_guessed) failed(at, 'usage:', mine.usage, theirs.usage);
}

// ---- all of it ----
const bodies = [];
const ignored = /^(host|connection|content-length|accept|accept-language|accept-encoding|sec-fetch-mode|user-agent|x-stainless-.*|x-goog-api-client)$/; // of the client's HTTP library, and who it is
for (const talk of ours) {
    const one = cases.find(c => c.name === talk.name), given = [];
    for (const [i, turn] of talk.turns.entries()) {
        const at = `${talk.name}, ${talk.wire}, turn ${i}`, body = valid(turn.body);
        answer = one.answers[talk.wire][i] ?? one.answers[talk.wire][0];
        try {
            given.push(await say[talk.wire](shortened(turn.neutral, turn.images_left_out), one, given));
        } catch (e) {
            failed(at, 'the client refuses:', e);
            break;
        }
        requests++;
        if (heard.method !== 'POST' || heard.path !== turn.url.replace('http://h', '')) failed(at, 'path:', turn.url, heard.path);
        if (!body) failed(at, 'no JSON:', turn.body.slice(0, 200));
        const names = new Set([...Object.keys(turn.headers), ...Object.keys(heard.headers)]);
        for (const name of names) if (!ignored.test(name)) compare(talk.wire, `header/${name}`, turn.headers[name], heard.headers[name], at);
        compare(talk.wire, '', body, JSON.parse(heard.body), at);
        const last = (body.messages ?? body.contents ?? body.input).at(-1);
        if (last.role === 'assistant' || last.role === 'model') failed(at, 'ends in the words of the assistant, which many servers refuse or go on with');
        bodies.push({ wire: talk.wire, at, body });
        if (turn.reading) compareReading(talk.wire, turn.reading, read[talk.wire](given[i]), at);
    }
}
for (const d of explained) if (!d.met) failed('listed as a difference, but there is none:', JSON.stringify(d));
recorder.close();
recorder.closeAllConnections();
writeFileSync(process.argv[3], typed(bodies, cases));
console.log(`${requests} requests, ${fields} fields, ${explained.length} explained differences`);
process.exitCode = failures ? 1 : 0;
