// Lists and calls every tool of `etna mcp` by the official clients: v1 (legacy handshake) and v2 in each of its modes,
// over stdio and HTTP. The clients check structured content against the output schemas themselves. Arguments:
// v1|legacy|auto|pin, then a URL, or a command and its arguments. Prints a line a check that failed and exits 1, else
// "ERA N tools".
import process from 'node:process';

const [mode, ...target] = process.argv.slice(2);
const http = target[0].startsWith('http://');
let failures = 0;
function check(good, ...what) {
    if (good) return;
    failures++;
    console.log('FAILED', mode, ...what);
}

async function connect() {
    const info = { name: 'etna-test', version: '1' };
    let client, transport;
    if (mode === 'v1') {
        const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
        const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
        const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
        client = new Client(info);
        transport = http ? new StreamableHTTPClientTransport(new URL(target[0]))
                         : new StdioClientTransport({ command: target[0], args: target.slice(1), env: process.env });
    } else {
        const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
        const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
        client = new Client(info, { versionNegotiation: { mode: mode === 'pin' ? { pin: '2026-07-28' } : mode } });
        transport = http ? new StreamableHTTPClientTransport(new URL(target[0]))
                         : new StdioClientTransport({ command: target[0], args: target.slice(1), env: process.env });
    }
    await client.connect(transport);
    return client;
}

const client = await connect();
const era = mode === 'v1' ? 'legacy' : client.getProtocolEra();
check(era === (mode === 'auto' || mode === 'pin' ? 'modern' : 'legacy'), 'era', era);
const called = new Set();
async function call(name, args, options) {
    called.add(name);
    const request = { name, arguments: args };
    return mode === 'v1' ? client.callTool(request, undefined, options) : client.callTool(request, options);
}
async function good(name, args, options) {
    const r = await call(name, args, options);
    check(!r.isError, name, JSON.stringify(args), JSON.stringify(r.content)?.slice(0, 300));
    check(r.content?.[0]?.type === 'text', name, 'has no text');
    check(JSON.stringify(JSON.parse(r.content[0].text)) === JSON.stringify(r.structuredContent), name, 'text and structured content differ');
    check(JSON.stringify(r).length < 1000000, name, 'is too large');
    return r;
}
async function bad(name, args, words) {
    const r = await call(name, args);
    check(r.isError === true && r.content[0].text.includes(words), name, 'should have failed with', words, JSON.stringify(r).slice(0, 300));
}
function image(r, kind) {
    const part = r.content.find(c => c.type === 'image');
    const bytes = part ? Buffer.from(part.data, 'base64') : Buffer.alloc(4);
    check(part?.mimeType === 'image/' + kind, 'mimeType', part?.mimeType);
    check(kind === 'png' ? bytes.readUInt32BE(0) === 0x89504e47 : bytes.readUInt16BE(0) === 0xffd8, 'is no', kind);
}

const { tools } = await client.listTools();
for (const t of tools) check(t.title && t.description && t.inputSchema.type === 'object' && t.outputSchema && t.annotations, t.name, 'is not fully described');

const listed = (await good('list_scenes', {})).structuredContent;
check(listed.open.length === 1 && listed.open[0].scene_id === 'main', 'open', JSON.stringify(listed.open));
const opened = (await good('open_scene', {})).structuredContent;
const at = { scene_id: opened.scene_id };
const info = (await good('get_scene_info', at)).structuredContent;
check(info.objects.some(o => o.name === 'Red Bottle') && info.cameras.length > 0, 'scene', JSON.stringify(info).slice(0, 200));
const bottle = (await good('get_object_info', { object_name: 'Red Bottle', ...at })).structuredContent;
check(bottle.supported_by.includes('Table'), 'Red Bottle stands on', bottle.supported_by);
const seen = (await good('list_all_object_in_view', at)).structuredContent;
check(seen.objects.some((row) => row.name === 'Yellow Block' && row.box.length === 4), 'seen', seen.objects);
const hits = (await good('ray_probe_for_plane', { coord_list: [[0.645, 0.42]], ...at })).structuredContent.hits;
check(hits[0].object === 'Yellow Block', 'hit', JSON.stringify(hits));
image(await good('render_view', { grid: true, ...at }), 'jpeg');
image(await good('render_view', { camera: 'around:red bottle', format: 'png', max_size: 320, ...at }), 'png');
image(await good('render_with_highlighted_object', { object_name_list: ['Red Bottle', 'Table'], ...at }), 'jpeg');
const place = await good('place_object', { constraints: [['ObjectName', 'Red Bottle'], ['CloseToPix', 'down', [0.645, 0.42]], ['Contact', 'down', hits[0].plane]], ...at });
image(place, 'jpeg');
const placed = place.structuredContent;
check(placed.edits === 1 && Math.abs(placed.position[2] - 0.9627) < 0.001, 'placed', JSON.stringify(placed));
await bad('place_object', { constraints: [['ObjectName', 'Wall'], ['CloseToPix', 'down', [0.5, 0.5]]], ...at }, 'Wall');
await good('move_object', { object_name: 'Red Bottle', yaw_deg: 90, ...at });
await bad('move_object', { object_name: 'Red Bottle', position: [0, 0, 5], ...at }, 'nothing would hold');
check((await good('check_physics', at)).structuredContent.valid === true, 'physics');
check((await good('undo', { to: 'e1', ...at })).structuredContent.edits === 1, 'undo');
check((await good('redo', at)).structuredContent.edits === 2, 'redo');
check((await good('history', at)).structuredContent.steps.length === 3, 'history');
const told = [];
const ran = (await good('run_goal', { goal: 'Put the green bottle on the blue block', ...at }, { onprogress: p => told.push(p) })).structuredContent;
check(ran.status === 'complete' && ran.moved.includes('Green Bottle'), 'run', JSON.stringify(ran).slice(0, 300));
check(told.length > 3 && told.every((p, i) => i === 0 || p.progress > told[i - 1].progress), 'progress', told.length);
// Nothing was indexed here, and whoever asks is told what makes an index.
await bad('find_asset', { query: 'a chair' }, 'etna assets index');
await bad('add_object', { query: 'a chair', ...at }, 'etna assets index');
await bad('replace_object', { object_name: 'Red Bottle', query: 'a vase', ...at }, 'etna assets index');
const removed = (await good('remove_object', { object_name: 'Red Bottle', ...at })).structuredContent;
check(removed.status === 'complete', 'removed', JSON.stringify(removed).slice(0, 300));
const without = (await good('get_scene_info', at)).structuredContent;
check(!without.objects.some(o => o.name === 'Red Bottle'), 'Red Bottle is still there');
await good('undo', at);
await good('export_scene', { file: `${mode}-${http ? 'http' : 'stdio'}.glb`, ...at });
await bad('export_scene', { file: '../outside.glb', ...at }, 'outside');
await good('close_scene', at);
await bad('get_scene_info', at, 'scene_id');
for (const t of tools) check(called.has(t.name), t.name, 'was not called');

// What else is served: prompts and resources.
const { prompts } = await client.listPrompts();
check(prompts.some(p => p.name === 'arrange' && p.arguments.some(a => a.name === 'goal' && a.required)), 'prompts', JSON.stringify(prompts));
const filled = await client.getPrompt({ name: 'arrange', arguments: { goal: 'the red bottle is on the yellow block' } });
check(filled.messages[0].content.text.includes('the red bottle is on the yellow block'), 'prompt', JSON.stringify(filled));
const { resources } = await client.listResources();
check(resources.length > 0, 'resources');
for (const r of resources) check((await client.readResource({ uri: r.uri })).contents[0].text.length > 20, 'resource', r.uri);
check(JSON.parse((await client.readResource({ uri: 'etna://scene/main' })).contents[0].text).object_count === 8, 'a scene as a resource');
check((await client.listResourceTemplates()).resourceTemplates.length === 1, 'templates');
await client.readResource({ uri: 'etna://none' }).then(() => check(false, 'a resource that is none was read'), () => {});

// What is cancelled is never answered, and the server goes on.
const abort = new AbortController();
const long = call('run_goal', { goal: 'Put the red bottle on the yellow block' }, { signal: abort.signal, onprogress: () => abort.abort('enough') });
check(await long.then(() => false, () => true), 'a cancelled call was answered');
check((await good('history', {})).structuredContent.edits === 0, 'a cancelled run changed the scene');
if (era === 'legacy') await client.ping();
await client.callTool({ name: 'no_such_tool', arguments: {} }).then(() => check(false, 'an unknown tool was called'), e => check(e.code === -32602, 'code', e.code));
await client.close();
console.log(`${era} ${tools.length} tools`);
process.exit(failures ? 1 : 0);
