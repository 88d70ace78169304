// Writes the bodies of our requests, and the answers that they were given, as literals of the vendors' own types, for
// the TypeScript compiler to check: a field that a type does not know, a missing one or a wrong value is an error.
const head = `import type OpenAI from 'openai';
import type Anthropic from '@anthropic-ai/sdk';
import type { CachedContent, Content, GenerateContentResponse, GenerationConfig, SafetySetting, ServiceTier, Tool, ToolConfig } from '@google/genai';
// Google's enumerations as the texts they are on the wire.
type Wire<T> = T extends string ? \`\${T}\` : T extends (...a: never) => unknown ? never : T extends readonly (infer U)[] ? Wire<U>[] : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;
type chat = OpenAI.ChatCompletionCreateParamsNonStreaming;
type responses = OpenAI.Responses.ResponseCreateParamsNonStreaming;
type gemini = Wire<{ contents: Content[]; systemInstruction?: Content; tools?: Tool[]; toolConfig?: ToolConfig; safetySettings?: SafetySetting[]; generationConfig?: GenerationConfig;
                     cachedContent?: string; serviceTier?: ServiceTier; store?: boolean }>;
type anthropic = Anthropic.MessageCreateParamsNonStreaming;
type chatAnswer = OpenAI.ChatCompletion;
type responsesAnswer = Omit<OpenAI.Responses.Response, 'output_text'>; // which the client adds
type geminiAnswer = Wire<Pick<GenerateContentResponse, 'candidates' | 'promptFeedback' | 'usageMetadata' | 'modelVersion' | 'responseId'>>;
type anthropicAnswer = Anthropic.Message;
export type Unused = CachedContent;
// That the compiler sees anything at all.
// @ts-expect-error
export const c0: chat = { model: 'm', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: 'x' }] }] };
// @ts-expect-error
export const r0: responses = { model: 'm', input: [{ role: 'assistant', content: [{ type: 'output_text', text: 'x' }] }] };
// @ts-expect-error
export const g0: gemini = { contents: [{ role: 'user', parts: [{ inline_data: { data: 'x' } }] }] };
// @ts-expect-error
export const a0: anthropic = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/bmp', data: 'x' } }] }] };
`;

export function typed(bodies, cases) {
    let n = 0;
    const seen = new Set(), lines = [];
    const put = (type, value, at) => {
        const text = JSON.stringify(value, (k, v) => k === 'extra_content' ? undefined : v); // of Google's own door to Chat Completions
        if (!seen.has(type + text)) lines.push(`export const v${n++}: ${type} = ${text}; // ${at}`);
        seen.add(type + text);
    };
    for (const b of bodies) put(b.wire, b.body, b.at);
    for (const c of cases) for (const [wire, list] of Object.entries(c.answers)) for (const a of list) put(wire + 'Answer', a, `${c.name}, ${wire}`);
    return head + lines.join('\n') + '\n';
}
