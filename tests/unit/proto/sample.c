/* See sample.h. */
#include "sample.h"

#include <string.h>

etna_hash sample_hash(uint8_t first)
{
    etna_hash hash;
    for (size_t i = 0; i < sizeof hash.bytes; i++)
        hash.bytes[i] = (uint8_t)(first + i);
    return hash;
}

static etna_id sample_id(void)
{
    etna_id id;
    for (size_t i = 0; i < sizeof id.bytes; i++)
        id.bytes[i] = (uint8_t)(0xf0 + i);
    return id;
}

static message_task_ref ref(void)
{
    message_task_ref r;
    memset(&r, 0, sizeof r);
    r.run = sample_id();
    r.task = UINT64_MAX - 5;
    r.attempt = 3;
    r.ticket = (etna_id){{8, 7}};
    return r;
}

static const etna_slot slot = {.node = 7,
                               .branch = 3,
                               .role = ROLE_EVALUATOR,
                               .poll = 2,
                               .turn = 9,
                               .repair = 1};
static const message_usage usage = {1000, 200,  4, 30, 20, MESSAGE_USAGE_MOST,
                                    5,    6000, 7};
static const uint8_t payload[] = {0, 255, 1, 2, 3};

static const message_run_row rows[] = {
    {.run = {{1, 2}}, RUN_RUNNING, 1795409071840, "room.glb", "tidy up", true},
    {.run = {{3}}, RUN_FAILED, 1, "b.glb", "Dr\xc3\xa4ng", false}};

static void fill_body(message *m)
{
    static message_task_ref refs[2];
    static etna_hash warm[2];
    static const message_event events[2] = {
        {41, 1000, "planned", {HAPPENED_PLANNED, 3, 4, 0, 0, 0, "Go."}},
        {42,
         2000,
         "branch 1 is valid: \xc3\xa4",
         {HAPPENED_BACKTRACKED, 3, 4, 1, 2, 5, NULL}}};
    refs[0] = refs[1] = ref();
    refs[1].task = 4;
    warm[0] = sample_hash(1);
    warm[1] = sample_hash(2);
    static message_lease leases[2];
    static message_further_result further;
    further = (message_further_result){refs[1], ETNA_OK, "", payload, 2, 70};
    leases[0] = (message_lease){
        .task_kind = TASK_POLL, ref(), sample_hash(3), payload, sizeof payload};
    leases[1] = (message_lease){
        .task_kind = TASK_PLAN, refs[1], sample_hash(3), payload, 1};
    const message_blob_chunk chunk = {
        .hash = sample_hash(9), 12, 7, payload, sizeof payload, ref()};
    switch (m->kind) {
    case MESSAGE_LEASE_REQUEST:
        m->body.lease_request =
            (message_lease_request){3, 8, 2, warm, "0.1.0", 3};
        break;
    case MESSAGE_LEASE:
        m->body.lease = (message_lease){.task_kind = TASK_POLL,
                                        ref(),
                                        sample_hash(3),
                                        payload,
                                        sizeof payload};
        break;
    case MESSAGE_RESULT:
        m->body.result = (message_result){
            ref(), ETNA_E_INPUT, "cut off", payload, sizeof payload, 3, 2, warm,
            1,     &further,     50};
        break;
    case MESSAGE_LEASES: m->body.leases = (message_leases){2, leases}; break;
    case MESSAGE_RESULT_ACK: m->body.result_ack = ref(); break;
    case MESSAGE_ORDERS_REQUEST:
        m->body.orders_request = (message_orders_request){2, refs, true, 77};
        break;
    case MESSAGE_ORDERS:
        m->body.orders = (message_orders){2, refs, true};
        break;
    case MESSAGE_CALL_BEGIN:
        m->body.call_begin =
            (message_call_begin){ref(), slot, sample_hash(4), usage, "builtin"};
        break;
    case MESSAGE_CALL_ANSWER:
        m->body.call_answer = (message_call_answer){
            CALL_STORED, sample_hash(5), usage, 250, true, "other"};
        break;
    case MESSAGE_CALL_END:
        m->body.call_end = (message_call_end){
            ref(), slot, sample_hash(4), sample_hash(5), usage, "builtin",
            3,     2};
        break;
    case MESSAGE_CALL_ACK: m->body.call_ack = slot; break;
    case MESSAGE_BLOB_GET:
        m->body.blob_get =
            (message_blob_get){.hash = sample_hash(9), 1u << 20, ref()};
        break;
    case MESSAGE_BLOB_CHUNK: m->body.blob_chunk = chunk; break;
    case MESSAGE_BLOB_PUT: m->body.blob_put = chunk; break;
    case MESSAGE_BLOB_ACK:
        m->body.blob_ack = (message_blob_ack){sample_hash(9), 12};
        break;
    case MESSAGE_RUN_SUBMIT:
        m->body.run_submit =
            (message_run_submit){sample_id(), payload, sizeof payload};
        break;
    case MESSAGE_RUN_CANCEL: m->body.run_cancel.run = sample_id(); break;
    case MESSAGE_RUN_STATUS_REQUEST:
        m->body.run_status_request.run = sample_id();
        break;
    case MESSAGE_RUN_STATUS:
        m->body.run_status = (message_run_status){
            sample_id(), RUN_FAILED,     99,
            "no way",    sample_hash(7), RUN_KEEPER_COORDINATOR,
            true,        ETNA_E_FULL};
        break;
    case MESSAGE_EVENTS_REQUEST:
        m->body.events_request = (message_events_request){sample_id(), 40};
        break;
    case MESSAGE_EVENTS:
        m->body.events = (message_events){2, events, RUN_RUNNING};
        break;
    case MESSAGE_REFUSED:
        m->body.refused = (message_refused){ETNA_E_NOTFOUND, "no such run"};
        break;
    case MESSAGE_RUN_SUSPEND: m->body.run_suspend.run = sample_id(); break;
    case MESSAGE_RUN_RESUME:
        m->body.run_resume = (message_run_resume){sample_id(), "a", "{}", 6};
        break;
    case MESSAGE_DRAIN: m->body.drain.live = 4; break;
    case MESSAGE_DRAIN_ACK: m->body.drain_ack.live = 5; break;
    case MESSAGE_RUN_VIEW_REQUEST:
        m->body.run_view_request.run = sample_id();
        break;
    case MESSAGE_RUNS_REQUEST: m->body.runs_request.skip = 7; break;
    case MESSAGE_DEATH: m->body.death = (message_death){77, 3, 11, true}; break;
    case MESSAGE_UPKEEP:
        m->body.upkeep =
            (message_upkeep){UPKEEP_REMOVE, 1, 2, 3, 4, 5, sample_id()};
        break;
    case MESSAGE_UPKEEP_DONE:
        m->body.upkeep_done =
            (message_upkeep){UPKEEP_COMPACT, 6, 7, 8, 9, 10, sample_id()};
        break;
    case MESSAGE_METRICS:
        m->body.metrics = (message_metrics){payload, sizeof payload};
        break;
    case MESSAGE_DEATH_ACK:
        m->body.death_ack = (message_death){78, 4, 9, true};
        break;
    case MESSAGE_RUNS: m->body.runs = (message_runs){2, rows, true}; break;
    case MESSAGE_HELLO:
        m->body.hello =
            (message_hello){"a realm", SEAL_SUBMITTER, 4, sample_hash(6)};
        break;
    case MESSAGE_WELCOME: m->body.welcome.nonce = sample_hash(8); break;
    case MESSAGE_CALL_FAIL:
        m->body.call_fail = (message_call_fail){
            ref(), slot, "gpt", true, true, true, true, 700, "reset"};
        break;
    default: break;
    }
}

message sample_message(message_kind kind)
{
    message m;
    memset(&m, 0, sizeof m);
    m.version = MESSAGE_VERSION;
    m.epoch = 12;
    m.sender = UINT64_MAX;
    m.incarnation = 1700000000000000;
    m.sequence = 77;
    m.kind = kind;
    fill_body(&m);
    return m;
}

static const char *const steps[] = {"Put the red bottle on the yellow block",
                                    "", "Dr\xc3\xa4ng"};
static const arrange_pose pose = {{1.25, -0.0, 1e-300}, -3.0};

static arrange_before sample_before(void)
{
    static const char *const told[] = {"put it back"};
    static arrange_edit done[1];
    done[0] =
        (arrange_edit){3, "back", "a", "b", pose, sample_hash(32), 1, 2, 3, 1};
    return (arrange_before){.goal = "tidy",
                            .step_count = 1,
                            .steps = told,
                            .edit_count = 1,
                            .edits = done,
                            .snapshot = sample_hash(33)};
}

arrange_config sample_config(void)
{
    static etna_hash lots[2], stock[1];
    arrange_config c = {.scene = sample_hash(20),
                        .scene_name = "bottles.glb",
                        .step_count = 3,
                        .steps = steps,
                        .seed = UINT64_MAX,
                        .branches = 16,
                        .polls = 9,
                        .early_end = EARLY_END_ORDERED,
                        .anchor = ANCHOR_HALF_DEPTH,
                        .max_steps = 256,
                        .max_backtracks = 1,
                        .max_tokens = 5,
                        .max_wall_ms = 6,
                        .max_cost_micros = 7,
                        .plan_per_branch = true,
                        .facts = true,
                        .images = false,
                        .model = "some-model",
                        .camera = "auto",
                        .models = "{\"models\":{}}",
                        .paper_solver = true,
                        .ablation = ABLATION_NO_MCP_TOOLS,
                        .cameras = true,
                        .open_list = true,
                        .start = sample_hash(34),
                        .after = sample_id(),
                        .before = sample_before(),
                        .reader = "some-reader",
                        .any_place = true,
                        .foreign = 1u << ROLE_PLANNER,
                        .branches_at_once = 2,
                        .finish_calls = true,
                        .brief = true,
                        .fronts = true,
                        .paper_collision = true,
                        .paper_floating = true,
                        .forgets = true,
                        .batch = {{0xba, 0x7c}},
                        .priority = 3,
                        .lot_count = 2,
                        .lots = lots,
                        .furnishes = true,
                        .stock_count = 1,
                        .stock = stock};
    lots[0] = sample_hash(35);
    lots[1] = sample_hash(36);
    stock[0] = sample_hash(37);
    return c;
}

arrange_task sample_task(void)
{
    static arrange_edit edits[2];
    static const arrange_failure failures[1] = {
        {4, 2, "move it", "bottle", "collides with the block", OBSTACLE_TAKEN}};
    static const arrange_given_up given_up[1] = {
        {3, "move it", "bottle", "top of block", {{1, 2, 3}, 4}, "no room", 4}};
    static const arrange_passed passed[1] = {
        {2, "there is no vase", {4, 11, 3}}};
    edits[0] = (arrange_edit){1,   "put", "a", "b", pose, sample_hash(30),
                              1.5, 0.25,  4,   2};
    edits[1] = (arrange_edit){2,  "take", "c", "d", pose, sample_hash(31),
                              -2, 1e300,  1,   3};
    arrange_task t = {.kind = TASK_BRANCH,
                      .scene = sample_hash(20),
                      .snapshot = sample_hash(21),
                      .run_seed = 1u << 31,
                      .node = 1,
                      .step = 2,
                      .branch = 3,
                      .poll = 4,
                      .model = "builtin",
                      .camera = "0",
                      .models = "{}",
                      .ablation = ABLATION_NO_BACKTRACKING,
                      .cameras = true,
                      .any_camera = true,
                      .reader_asked = true,
                      .any_place = true,
                      .paper_collision = true,
                      .paper_floating = true,
                      .facts = true,
                      .paper_solver = true,
                      .goal = "tidy up",
                      .step_count = 3,
                      .steps = steps,
                      .open_list = true,
                      .max_steps = 6,
                      .edit_count = 2,
                      .edits = edits,
                      .failure_count = 1,
                      .failures = failures,
                      .given_up_count = 1,
                      .given_up = given_up,
                      .passed_count = 1,
                      .passed = passed,
                      .first_snapshot = sample_hash(22),
                      .start = sample_hash(35),
                      .before = sample_before(),
                      .coordinates = COORDINATES_PIXELS,
                      .meaning = "{\"predicates\":[]}",
                      .instruction = "put a on b",
                      .coordinate = {0.25, 0.75},
                      .coordinate_is_bottom = true,
                      .object = "a",
                      .after = sample_hash(23),
                      .planes = "top of b",
                      .elsewhere = 0.25,
                      .brief = true,
                      .fronts = true,
                      .width = 640};
    return t;
}

arrange_result sample_result(void)
{
    static const char *const warnings[] = {"a texture is missing", "no camera"};
    static const char *const others[] = {"c", "d"};
    arrange_result r = {.kind = TASK_BRANCH,
                        .used = usage,
                        .snapshot = sample_hash(40),
                        .object_count = 12,
                        .movable_count = 10,
                        .warning_count = 2,
                        .warnings = warnings,
                        .plan_status = PLAN_EDIT,
                        .instruction = "put a on b",
                        .coordinate = {0.5, 1},
                        .coordinate_is_bottom = true,
                        .item = 2,
                        .refusal = {REFUSAL_NO_PLACE,
                                    "it is full",
                                    "the table",
                                    "clear it",
                                    3,
                                    9,
                                    2,
                                    {1, 12, 4}},
                        .part = {1, 12, 5},
                        .makes_way = true,
                        .reason = "why",
                        .branch_status = BRANCH_VALID,
                        .object = "a",
                        .plane = "top of b",
                        .pose = pose,
                        .loss = 0.125,
                        .candidates = 64,
                        .survivors = 9,
                        .collision_checks = 33,
                        .constraints = "[[\"ObjectName\",\"a\"]]",
                        .coordinates = COORDINATES_THOUSANDTHS,
                        .elsewhere = 0.125,
                        .tries = {[BRANCH_MALFORMED] = 1,
                                  [BRANCH_UNSOLVED] = 2,
                                  [BRANCH_COLLISION] = 3,
                                  [BRANCH_FLOATING] = 4},
                        .meaning = "{}",
                        .obstacle = {OBSTACLE_TAKEN, "top of b", 2, others},
                        .verdict = VERDICT_GOOD,
                        .blob = sample_hash(41),
                        .camera = "Camera 1"};
    return r;
}
