// The conversations of run_sdks.sh. A conversation is a role, settings, and what the model says turn by turn; each
// vendor's answer is written in full, in the shape of that vendor's own types (which the TypeScript compiler checks),
// from one neutral description.
export const wires = ['chat', 'responses', 'gemini', 'anthropic'];

const none = a => a.length === 0;
function chat({ text = '', calls = [], finish, refusal = null, extra }) {
    const message = { role: 'assistant', content: text || (none(calls) && !refusal ? '' : null), refusal, annotations: [] };
    if (!none(calls)) message.tool_calls = calls.map(c => ({ id: c.id, type: 'function', function: { name: c.name, arguments: c.raw ?? JSON.stringify(c.args) }, ...extra }));
    return { id: 'chatcmpl-1', object: 'chat.completion', created: 1760000000, model: 'vendor-1', system_fingerprint: 'fp', service_tier: 'default',
             choices: [{ index: 0, message, logprobs: null, finish_reason: { cut: 'length', filtered: 'content_filter' }[finish] ?? (none(calls) ? 'stop' : 'tool_calls') }],
             usage: { prompt_tokens: 1200, completion_tokens: 85, total_tokens: 1285, prompt_tokens_details: { cached_tokens: 1024, audio_tokens: 0 },
                      completion_tokens_details: { reasoning_tokens: 64, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 } } };
}
function responses({ text = '', calls = [], thoughts, finish, refusal }) {
    const status = finish === 'cut' || finish === 'filtered' ? 'incomplete' : 'completed', output = [];
    if (thoughts) output.push({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA==' });
    if (text || refusal) output.push({ type: 'message', id: 'msg_1', role: 'assistant', status, phase: 'final_answer',
                                       content: [refusal ? { type: 'refusal', refusal } : { type: 'output_text', text, annotations: [], logprobs: [] }] });
    for (const c of calls) output.push({ type: 'function_call', id: 'fc_' + c.id, call_id: c.id, name: c.name, arguments: c.raw ?? JSON.stringify(c.args), status });
    return { id: 'resp_1', object: 'response', created_at: 1760000000, status, error: null, instructions: null, metadata: {}, model: 'vendor-1', access_programs: null,
             incomplete_details: status === 'completed' ? null : { reason: finish === 'cut' ? 'max_output_tokens' : 'content_filter' },
             parallel_tool_calls: true, temperature: 1, top_p: 1, tool_choice: 'auto', tools: [], output,
             usage: { input_tokens: 1200, output_tokens: 85, total_tokens: 1285, input_tokens_details: { cached_tokens: 1024, cache_write_tokens: 0 },
                      output_tokens_details: { reasoning_tokens: 64 } } };
}
function gemini({ text = '', calls = [], thoughts, finish, refusal }) {
    const usageMetadata = { promptTokenCount: 1200, candidatesTokenCount: 21, thoughtsTokenCount: 64, cachedContentTokenCount: 1024, totalTokenCount: 1285,
                            promptTokensDetails: [{ modality: 'TEXT', tokenCount: 942 }, { modality: 'IMAGE', tokenCount: 258 }] };
    if (refusal) return { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata, modelVersion: 'vendor-1', responseId: 'r' };
    const parts = [];
    if (thoughts) parts.push({ text: thoughts, thought: true });
    if (text) parts.push({ text, ...(none(calls) && thoughts ? { thoughtSignature: 'U2lnT2ZUZXh0' } : {}) });
    calls.forEach((c, i) => parts.push({ functionCall: { id: c.id, name: c.name, args: c.args ?? {} }, ...(i === 0 && thoughts ? { thoughtSignature: 'RXB3QkNwa0I=' } : {}) }));
    return { candidates: [{ content: { role: 'model', parts }, finishReason: { cut: 'MAX_TOKENS', filtered: 'SAFETY' }[finish] ?? 'STOP', index: 0,
                            safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }] }], usageMetadata, modelVersion: 'vendor-1', responseId: 'r' };
}
function anthropic({ text = '', calls = [], thoughts, finish, refusal }) {
    const content = [];
    if (thoughts) content.push({ type: 'thinking', thinking: thoughts, signature: 'EqQBCgIYAhIM' }, { type: 'redacted_thinking', data: 'EmwKAhgB' });
    if (text) content.push({ type: 'text', text, citations: null });
    for (const c of calls) content.push({ type: 'tool_use', id: c.id, name: c.name, input: c.args ?? {}, caller: { type: 'direct' } });
    return { id: 'msg_1', type: 'message', role: 'assistant', model: 'vendor-1', content, container: null, diagnostics: null, stop_sequence: null,
             stop_reason: refusal || finish === 'filtered' ? 'refusal' : finish === 'cut' ? 'max_tokens' : none(calls) ? 'end_turn' : 'tool_use',
             stop_details: refusal ? { type: 'refusal', category: 'general_harms', explanation: refusal } : null,
             usage: { input_tokens: 176, cache_creation_input_tokens: 0, cache_read_input_tokens: 1024, cache_creation: null, output_tokens: 85, inference_geo: null,
                      output_tokens_details: { thinking_tokens: 64 }, server_tool_use: null, service_tier: 'standard', speed: null } };
}
const says = { chat, responses, gemini, anthropic };

const look = { id: 'call_a1', name: 'ray_probe_for_plane', args: { coordinate: [[0.5, 0.25], [1e-7, 1]] } };
const list = { id: 'call_a2', name: 'list_all_object_in_view', args: { interested_area: [0, 0, 1, 1] } };
const mark = { id: 'call_a3', name: 'render_with_highlighted_object', args: { object_name_list: ['Chair "old"', 'Tür ☃ 🪑'] } };
const found = { json: '{"hits":[{"object":"Floor","plane":"Floor_1","location":[0.1,1e-9,-3]}]}' };
const shown = { json: '{"ok":true,"note":"Tür ☃ 🪑 \\"quoted\\" \\u0007"}', image: true };
const wrong = { json: '{"error":"there is no object named Chair; there are \\"Chair 1\\", \\"Chair 2\\""}' };
const block = '[constraints]\n["ObjectName", "Chair"], ["CloseToPix", "down", [0.5, 0.5]], ["Contact", "down", "Floor_1"]\n[end of constraints]\n<completion>';
const tools = [{ text: 'I look first.\nThen I list.', calls: [look], thoughts: 'Where is it?' },
               { calls: [list, mark, { ...look, id: 'call_a4' }], thoughts: 'All at once.' },
               { text: 'No block here.', thoughts: 'Tired.' },
               { text: block }];
const results = [[found], [wrong, shown, { ...found, image: true }]];
const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'], additionalProperties: false };

// Every optional setting that each vendor's client knows and a role could use, at once.
const knobs = {
    chat: { frequency_penalty: 0.5, logit_bias: { 50256: -100 }, logprobs: true, top_logprobs: 2, metadata: { run: 'a' }, modalities: ['text'], n: 1, parallel_tool_calls: false,
            presence_penalty: -0.5, prompt_cache_key: 'k', reasoning_effort: 'none', response_format: { type: 'json_schema', json_schema: { name: 'v', strict: true, schema } },
            safety_identifier: 's', seed: 7, service_tier: 'flex', stop: ['END'], store: false, temperature: 0.2, tool_choice: 'required', top_p: 0.9, user: 'u', verbosity: 'low' },
    responses: { include: ['reasoning.encrypted_content', 'message.output_text.logprobs'], max_tool_calls: 3, metadata: { run: 'a' }, parallel_tool_calls: false, prompt_cache_key: 'k',
                 reasoning: { effort: 'medium', summary: 'auto' }, safety_identifier: 's', service_tier: 'flex', store: true, temperature: 0.2,
                 text: { format: { type: 'json_schema', name: 'v', strict: true, schema }, verbosity: 'low' }, tool_choice: { type: 'function', name: 'ray_probe' },
                 top_logprobs: 2, top_p: 0.9, truncation: 'auto' },
    gemini: { temperature: 1, topP: 0.95, topK: 64, candidateCount: 1, stopSequences: ['END'], responseLogprobs: true, logprobs: 2, presencePenalty: 0.5, frequencyPenalty: 0.5, seed: 7,
              responseMimeType: 'application/json', responseJsonSchema: schema, responseModalities: ['TEXT'], mediaResolution: 'MEDIA_RESOLUTION_HIGH',
              thinkingConfig: { thinkingLevel: 'HIGH', includeThoughts: false }, safetySettings: [{ category: 'HARM_CATEGORY_DANGEROUS_CONTENT', threshold: 'BLOCK_ONLY_HIGH' }],
              toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['ray_probe'] } }, cachedContent: 'cachedContents/1', serviceTier: 'flex', store: false },
    anthropic: { cache_control: { type: 'ephemeral' }, inference_geo: 'us', metadata: { user_id: 'u' }, output_config: { effort: 'high', format: { type: 'json_schema', schema } }, service_tier: 'auto',
                 speed: 'fast', stop_sequences: ['END'], thinking: { type: 'adaptive' }, tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
};
const all = value => Object.fromEntries(wires.map(w => [w, value]));

const cases = [
    { name: 'a plan that is no block, and then one', role: 'planner', said: [{ text: 'I would rather not.' }, { text: '' }] },
    { name: 'tools, one and then three at once, images in their results', role: 'executor', said: tools, results },
    { name: 'the same, when another model made the turns', role: 'executor', said: tools, results, rebuilt: true },
    { name: 'tools with facts', role: 'executor', facts: '{"objects":[{"name":"Tür ☃"}]}', said: tools.slice(0, 2), results },
    { name: 'keys of its own in a tool call', role: 'executor', said: [{ calls: [look, { ...list, id: '' }] }, { calls: [look] }, { calls: [list], extra: { extra_content: { google: { thought_signature: 'QUJD' } } } }], results: [[found, found], [found], [found]] },
    { name: 'an evaluator with facts', role: 'evaluator', facts: '{"before":{},"after":{}}', said: [{ text: 'Good.' }] },
    { name: 'the judge', role: 'judge', said: [{ text: '{}' }] },
    { name: 'every knob', role: 'executor', knobs, said: tools, results,
      settings: { ...all({ output_tokens: 4096 }), chat: { output_tokens: 4096, token_field: 'max_completion_tokens', system_role: 'developer' } } },
    { name: 'cut off in the middle of a call', role: 'executor', said: [{ text: 'I', calls: [{ ...look, raw: '{"coordinate":[[0.' }], finish: 'cut' }], results: [[found]] },
    { name: 'cut off while it thought', role: 'executor', said: [{ thoughts: 'Hmm', finish: 'cut' }, { text: 'no' }] },
    { name: 'a refusal', role: 'evaluator', said: [{ refusal: 'I cannot help with that.' }] },
    { name: 'filtered', role: 'evaluator', said: [{ finish: 'filtered' }] },
    { name: 'an earlier image left out', role: 'executor', said: tools.slice(0, 2), results: [[{ ...found, image: true }], [shown, shown, found]], settings: all({ images_max: 2 }) },
];
for (const c of cases) {
    c.answers = Object.fromEntries(wires.map(w => [w, c.said.map(one => says[w](one))]));
    const text = w => Object.entries({ ...c.settings?.[w], ...(c.knobs ? { knobs: c.knobs[w] } : {}) }).map(([k, v]) => `, ${k}: ${JSON.stringify(v)}`).join('');
    c.yaml = Object.fromEntries(wires.map(w => [w, text(w)]));
}
export { cases };
// What sdk-wire reads.
export const input = cases.map(c => ({ name: c.name, role: c.role, facts: c.facts, rebuilt: c.rebuilt, results: c.results, answers: c.answers, settings: c.yaml }));
