// The openai client speaks to `etna serve-builtin`. It stands between a run and the server: every call of the run's
// workers is made by the client, and what the client read is what the run gets. At the end of standard input it checks
// what the server says to the rest: the list of models, streams, wrong keys, unknown paths, questions at large.
// Arguments: the server's URL, its key, and a file for the answers as literals of the client's types. Prints its own
// URL, then what it saw.
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import process from 'node:process';
import OpenAI from 'openai';

const [baseURL, apiKey, file] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
let failures = 0, calls = 0, answers = 0, images = 0, sample;
const literals = ["import type OpenAI from 'openai';"];
function failed(...what) {
    failures++;
    if (failures <= 20) console.log('FAILED', ...what);
}

async function pass(q, body) {
    const { method, url: path, headers } = q;
    if (method !== 'POST' || path !== '/v1/chat/completions') failed('a worker asks', method, path);
    if (headers['content-type'] !== 'application/json' || headers.authorization !== `Bearer ${apiKey}` || headers.expect) failed('headers', JSON.stringify(headers));
    if (Number(headers['content-length']) !== Buffer.byteLength(body)) failed('the length', headers['content-length'], Buffer.byteLength(body));
    const asked = JSON.parse(body), marks = { 'x-etna-role': headers['x-etna-role'], 'x-etna-seed': headers['x-etna-seed'] };
    for (const part of asked.messages.flatMap(m => Array.isArray(m.content) ? m.content : [])) {
        if (part.type !== 'image_url') continue;
        const [, kind, data] = /^data:image\/(png|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/.exec(part.image_url.url) ?? failed('an image', part.image_url.url.slice(0, 60)) ?? [];
        const start = Buffer.from(data ?? '', 'base64').subarray(0, 2).toString('hex');
        if (start !== (kind === 'png' ? '8950' : 'ffd8')) failed('an image is no', kind, start);
        images++;
    }
    const got = await client.chat.completions.create(asked, { headers: marks });
    const [choice] = got.choices, made = choice.message.tool_calls ?? [];
    answers++;
    calls += made.length;
    for (const c of made) JSON.parse(c.function.arguments);
    if (choice.finish_reason !== (made.length ? 'tool_calls' : 'stop')) failed('finish_reason', choice.finish_reason);
    if (got.usage.total_tokens !== got.usage.prompt_tokens + got.usage.completion_tokens) failed('usage', JSON.stringify(got.usage));
    if (literals.length < 40) literals.push(`export const s${literals.length}: OpenAI.ChatCompletion = ${JSON.stringify(got)};`,
                                            `export const q${literals.length}: OpenAI.ChatCompletionCreateParamsNonStreaming = ${JSON.stringify(asked).replace(/(base64,.{20})[^"]*/g, '$1')};`);
    sample ??= { asked, marks };
    return JSON.stringify(got);
}

const server = http.createServer((q, r) => {
    const pieces = [];
    q.on('data', d => pieces.push(d)).on('end', () => pass(q, Buffer.concat(pieces).toString('utf8')).then(
        text => r.setHeader('content-type', 'application/json').end(text),
        e => {
            failed('the client says', e);
            r.writeHead(400).end();
        }));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
for await (const ignored of process.stdin) void ignored;
server.close();
server.closeAllConnections();

async function refused(what, kind, words, ask) {
    try {
        await ask();
        failed(what, 'is answered');
    } catch (e) {
        if (!(e instanceof kind) || !e.message.includes(words)) failed(what, e.constructor.name, e.message);
    }
}
const models = await client.models.list();
if (models.data.map(m => m.id).join() !== 'builtin') failed('models', JSON.stringify(models.data));
const { asked, marks } = sample;
const again = { headers: marks }, question = [{ role: 'user', content: 'How are you?' }];
await refused('a stream', OpenAI.BadRequestError, 'stream is not served', async () => { for await (const c of await client.chat.completions.create({ ...asked, stream: true }, again)) void c; });
await refused('a wrong key', OpenAI.AuthenticationError, 'key', () => client.withOptions({ apiKey: 'wrong' }).chat.completions.create(asked, again));
await refused('another wire', OpenAI.NotFoundError, '/v1/chat/completions', () => client.responses.create({ model: 'builtin', input: 'x' }));
await refused('a question at large', OpenAI.BadRequestError, 'built-in agent', () => client.chat.completions.create({ model: 'builtin', messages: question }));
await refused('a conversation without an end', OpenAI.BadRequestError, 'messages', () => client.chat.completions.create({ model: 'builtin', messages: [] }, again));
const [a, b] = await Promise.all([0, 1].map(() => client.chat.completions.create(asked, again)));
if (JSON.stringify(a.choices) !== JSON.stringify(b.choices)) failed('the same question has two answers');
if (!calls || !images) failed('no tool was called, or no image sent');
writeFileSync(file, literals.join('\n') + '\n');
console.log(`${answers} answers, ${calls} tool calls, ${images} images`);
process.exitCode = failures ? 1 : 0;
