// Stands between the conformance suite and `etna mcp`: the suite calls the tools of its reference server by name, and
// here those names are given to tools of ours that do what the scenario is about. Nothing else is touched, answers
// least of all. Arguments: our server's URL. Prints its own, and ends with its stdin.
import http from 'node:http';
import process from 'node:process';

const ours = {
    test_simple_text: ['check_physics', {}],
    test_image_content: ['render_view', { max_size: 320 }],
    test_error_handling: ['get_object_info', { object_name: 'There Is No Such Object' }],
    test_tool_with_progress: ['run_goal', { goal: 'Put the blue bottle on the yellow block' }],
    test_streaming_elicitation: ['history', {}],
    test_logging_tool: ['history', {}],
};
const to = new URL(process.argv[2]);
const server = http.createServer((request, answer) => {
    const pieces = [];
    request.on('data', piece => pieces.push(piece));
    request.on('end', () => {
        let body = Buffer.concat(pieces);
        const headers = { ...request.headers };
        try {
            const message = JSON.parse(body);
            const as = message.method === 'tools/call' ? ours[message.params?.name] : undefined;
            if (as) {
                [message.params.name, message.params.arguments] = as;
                body = Buffer.from(JSON.stringify(message));
                if ('mcp-name' in headers) headers['mcp-name'] = as[0];
            }
        } catch { /* no JSON: as it is */ }
        delete headers['transfer-encoding'];
        headers['content-length'] = String(body.length);
        const there = http.request({ host: to.hostname, port: to.port, path: request.url, method: request.method, headers }, got => {
            answer.writeHead(got.statusCode, got.rawHeaders);
            answer.flushHeaders();
            got.pipe(answer);
        });
        there.on('error', () => answer.destroy());
        answer.on('close', () => there.destroy());
        there.end(body);
    });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}${to.pathname}`));
process.stdin.on('end', () => process.exit(0)).resume();
