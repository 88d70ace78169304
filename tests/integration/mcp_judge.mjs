// Holds what the conformance suite found against mcp_conformance.json, which says what applies. Arguments: a folder
// with a folder per run, "REVISION" or "REVISION.renamed", as the suite wrote them. Prints a line a fault and exits 1,
// else a line a revision.
import fs from 'node:fs';
import process from 'node:process';

const list = JSON.parse(fs.readFileSync(new URL('mcp_conformance.json', import.meta.url)));
const folder = process.argv[2];
let faults = 0;
function fault(...words) {
    faults++;
    console.log('FAILED', ...words);
}

// [{scenario, checks}] of one run.
function results(run) {
    const at = `${folder}/${run}`;
    const names = fs.existsSync(at) ? fs.readdirSync(at).filter(name => fs.existsSync(`${at}/${name}/checks.json`)) : [];
    return names.map(name => ({
        scenario: name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[-0-9]*Z$/, ''),
        checks: JSON.parse(fs.readFileSync(`${at}/${name}/checks.json`)),
    }));
}
const graded = check => check.status !== 'INFO' && check.id !== 'wire-schema-valid';
const failing = new Set(); // of those that are said not to apply
const passing = new Set();
for (const revision of list.revisions) {
    const runs = { direct: results(revision), renamed: results(`${revision}.renamed`) };
    let passed = 0, checks = 0, left = 0;
    for (const { scenario, checks: found } of runs.direct) {
        const reason = list.does_not_apply[scenario], renamed = list.by_other_names.includes(scenario);
        if (!reason && !renamed && !list.applies.includes(scenario)) fault(revision, scenario, 'is in no list');
        const again = renamed ? runs.renamed.find(r => r.scenario === scenario)?.checks : undefined;
        if (renamed && !again) fault(revision, scenario, 'was not run by other names');
        const counted = renamed && !list.applies.includes(scenario) ? again ?? [] : found;
        if (!reason && !counted.some(graded)) fault(revision, scenario, 'asked nothing');
        for (const check of counted) {
            const name = `${scenario}/${check.id}`;
            const entry = reason ? scenario : list.does_not_apply[name] ? name : undefined;
            if (entry && graded(check)) {
                (check.status === 'SUCCESS' ? passing : failing).add(entry);
                continue;
            }
            // What the suite could not ask for the lack of its tool it has asked by another name.
            const twin = again?.find(c => c.id === check.id) ?? check;
            if (twin.status !== 'SUCCESS' && twin.status !== 'INFO') fault(revision, name, twin.status, twin.errorMessage ?? '');
            checks += graded(twin);
        }
        if (reason) left++;
        else passed++;
    }
    if (!passed) fault(revision, 'nothing was run');
    console.log(`${revision}: ${passed} scenarios apply (${checks} checks), ${left} do not`);
}
for (const entry of passing) {
    if (!failing.has(entry)) fault(entry, 'passes, though it is said not to apply');
}
process.exit(faults ? 1 : 0);
