import type { Step } from '../strict/model.ts'
import { type Cell, type Client, type Context, type Registry, type UpstreamKind, upstreamKinds } from './client.ts'
import { type Program, startProgram, type Task, type Thrown, type Told } from './program.ts'
import { afterSilence, plainStep, sideModels } from './side-upstream.ts'

/** An official client of a provider, around which a program of `programs/` stands. */
export interface Sdk {
  readonly name: string
  readonly registry: Registry
  readonly packages: readonly string[]
  /** In `programs/`. It has a function for each check that its client can do. */
  readonly program: string
  /** Said to the program with each task, for one that has several interfaces. */
  readonly says?: Readonly<Record<string, unknown>>
  /** Classes of errors, as patterns, by the status that the client gets; `broken` is thrown where a stream breaks off. */
  readonly errors?: Readonly<Record<number | 'broken', string>>
  /** Set where it has no conversations, so that only its extras are run. */
  readonly talks?: false
  /** Set where its tool calls are in a dialect that the gateway does not speak, so that a stream without tools is run in their place. */
  readonly calls?: false
  /** Set where it shows what the model thinks. */
  readonly shows?: 'thoughts'
  /** Calls beside conversations. */
  readonly extras?: readonly Extra[]
  /** All kinds unless it says otherwise; extras run at the first one. */
  readonly upstreams?: readonly UpstreamKind[]
}

/** Something beside conversations. */
export interface Extra {
  /** The name of the check. */
  readonly check: string
  readonly model: string
  readonly expected: unknown
}

/** Tools as a program offers them, in JSON schema. */
const tools = [
  {
    name: 'read_file',
    description: 'Reads a file — “as it is”.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
  {
    name: 'edit',
    description: 'Replaces text.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, text: { type: 'string' } },
      required: ['path', 'text'],
    },
  },
]

const loopSteps: readonly Step[] = [
  {
    thought: 'I have to look at both files — 両方。',
    text: 'Let me look.',
    calls: [
      { name: 'read_file', input: { path: 'src/a.ts' } },
      { name: 'read_file', input: { path: 'src/b.ts' } },
    ],
  },
  {
    thought: 'Only b.ts has to change.',
    calls: [{ name: 'edit', input: { path: 'src/b.ts', text: '“夏” \\ 🧑‍🔧\n' } }],
  },
  { thought: 'That is all.', text: 'Done: “b.ts” is fixed.', calls: [] },
]

/** The names of what a tool takes, and of what it needs. */
const argumentsOf = (schema: unknown): unknown => {
  const { properties = {}, required } = (schema ?? {}) as { properties?: object; required?: unknown }
  return [Object.keys(properties), required]
}

const offered = tools.map(({ name, parameters }) => [name, argumentsOf(parameters)])

const question = 'Fix “b.ts”, bitte — 请修复。'

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(members.map(([name, inner]) => [name, sorted(inner)]))
}

const shown = (value: unknown): string => JSON.stringify(sorted(value)) ?? 'nothing'

const difference = (got: unknown, expected: unknown): string | undefined =>
  shown(got) === shown(expected) ? undefined : `${shown(got).slice(0, 400)} instead of ${shown(expected).slice(0, 300)}`

const thrownText = ({ name, message }: Thrown): string => `${name}: ${message}`

/** OpenAI's chat completions keep their thoughts. */
const showsThoughts = (kind: UpstreamKind): boolean => kind !== 'chat'

interface Run {
  readonly sdk: Sdk
  readonly context: Context
  readonly program: Program
  readonly kind: UpstreamKind
}

type Check = (run: Run) => Promise<string | undefined>

const tell = async ({ sdk, context, program }: Run, task: Pick<Task, 'check' | 'key' | 'model'>): Promise<Told> =>
  program.ask({ tools, question, ...sdk.says, ...task, url: context.url })

/** Plays a script to the client, and says what differs at the client, at the provider or in the books. */
const played = async (
  run: Run,
  steps: readonly Step[],
  check: string,
  expected: unknown,
): Promise<string | undefined> => {
  const { context, kind } = run
  const opened = await context.openKey()
  context.upstream.play(steps, undefined, { mayStore: true })
  const result = await tell(run, { check, key: opened.key, model: context.models[kind] })
  const [complaint] = context.upstream.complaints
  if (complaint !== undefined) return `the provider refused: ${complaint}`
  if (result.missing) return 'the program has no such check'
  if (result.thrown !== undefined) return thrownText(result.thrown)
  return difference(result.value, expected) ?? (await opened.checkBills())
}

const plain: Check = (run) => played(run, [plainStep], 'plain', plainStep.text)

const loop: Check = async (run) => {
  const { sdk, context, kind } = run
  const shows = sdk.shows === 'thoughts' && showsThoughts(kind)
  const expected = loopSteps.map(({ thought = '', text = '', calls }) => ({
    thought: shows ? thought : '',
    text,
    calls,
  }))
  const reason = await played(run, loopSteps, 'loop', expected)
  if (reason !== undefined) return reason
  const last = context.upstream.received.at(-1)
  const results = last?.results.map(({ text }) => /\w+ is done ✓/.exec(text)?.[0])
  return (
    difference(results, ['read_file is done ✓', 'read_file is done ✓', 'edit is done ✓']) ??
    difference(
      last?.tools.map(({ name, schema }) => [name, argumentsOf(schema)]),
      offered,
    )
  )
}

/** A streamed turn without tools, for clients whose tool calls have a format that the gateway does not serve. */
const stream: Check = (run) => played(run, [plainStep], 'loop', [{ thought: '', text: plainStep.text, calls: [] }])

const silence: Check = async (run) => {
  const { key } = await run.context.openKey()
  const result = await tell(run, { check: 'loop', key, model: sideModels(run.kind).silent })
  if (result.thrown !== undefined) return thrownText(result.thrown)
  return difference(result.value, [{ thought: '', text: afterSilence.text, calls: [] }])
}

/** Requests that fail, with the status of each failure. */
const errorTasks = (kind: UpstreamKind, key: string) => {
  const { silent, 400: wrong, 429: limited, 500: failing, 503: away } = sideModels(kind)
  return [
    [400, { key, model: wrong }],
    [401, { key: 'sk-wrong', model: silent }],
    [429, { key, model: limited }],
    [500, { key, model: failing }],
    [503, { key, model: away }],
  ] as const
}

const isCalled = ({ name }: Thrown, pattern: string): boolean => new RegExp(`^(${pattern})$`).test(name)

const errors: Check = async (run) => {
  const { sdk, kind } = run
  const { key } = await run.context.openKey()
  const complaints: string[] = []
  for (const [status, sent] of errorTasks(kind, key)) {
    const { thrown, value } = await tell(run, { check: 'plain', ...sent })
    const expected = sdk.errors?.[status] ?? 'Error'
    if (thrown === undefined) complaints.push(`${status}: nothing thrown but ${shown(value).slice(0, 100)}`)
    else if (!isCalled(thrown, expected)) complaints.push(`${status}: ${thrownText(thrown)}`)
  }
  return complaints.length === 0 ? undefined : complaints.join('; ')
}

const broken: Check = async (run) => {
  const { sdk, kind, context } = run
  const { key } = await context.openKey()
  const { thrown, value } = await tell(run, { check: 'loop', key, model: sideModels(kind).breaking })
  if (thrown === undefined) return `nothing was thrown but ${shown(value).slice(0, 200)}`
  return isCalled(thrown, sdk.errors?.broken ?? 'Error') ? undefined : thrownText(thrown)
}

const extra =
  ({ check, model, expected }: Extra): Check =>
  async (run) => {
    const { key } = await run.context.openKey()
    const { thrown, missing, value } = await tell(run, { check, key, model })
    if (missing) return 'the program has no such check'
    return thrown === undefined ? difference(value, expected) : thrownText(thrown)
  }

const conversations = ({ talks, calls }: Sdk): readonly (readonly [string, Check])[] =>
  talks === false
    ? []
    : [
        ['plain', plain],
        calls === false ? ['stream', stream] : ['loop', loop],
        ['errors', errors],
        ['broken stream', broken],
      ]

const checksOf = (sdk: Sdk, isFirst: boolean): readonly (readonly [string, Check])[] => [
  ...conversations(sdk),
  ...(isFirst ? (sdk.extras ?? []).map((one) => [one.check, extra(one)] as const) : []),
]

/** A client of the matrix around a program. Silent streams of all upstreams wait beside the other checks. */
export const sdkClient = (sdk: Sdk): Client => {
  const upstreams = sdk.upstreams ?? upstreamKinds
  return {
    name: sdk.name,
    registry: sdk.registry,
    packages: sdk.packages,
    upstreams,
    async run(context) {
      const program = startProgram(sdk.program, { ...context, registry: sdk.registry })
      try {
        const cell = async (kind: UpstreamKind, name: string, check: Check): Promise<Cell> => {
          const reason = await check({ sdk, context, program, kind })
          return { upstream: kind, check: name, ...(reason === undefined ? {} : { reason }) }
        }
        const waiting = sdk.talks === false ? [] : upstreams.map((kind) => cell(kind, 'silence', silence))
        const cells: Cell[] = []
        for (const [at, kind] of upstreams.entries())
          for (const [name, check] of checksOf(sdk, at === 0)) cells.push(await cell(kind, name, check))
        return [...cells, ...(await Promise.all(waiting))]
      } finally {
        program.end()
      }
    },
  }
}
