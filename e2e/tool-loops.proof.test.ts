import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ReceivedCall, type ScriptedCall, steps } from './strict/model.ts'
import { type StrictUpstream, startStrictUpstream } from './strict/upstream.ts'
import { type Books, openBooks } from './support/books.ts'
import { addChannel, addKey, signIn } from './support/operator.ts'
import { type Site, startSite } from './support/site.ts'
import type { Agent, AgentPlace, Turn } from './tool-loops/agent.ts'
import { openChatAgent, openForgetfulAgent } from './tool-loops/chat-agent.ts'
import { openClaudeCode } from './tool-loops/claude-code.ts'
import { openCodex } from './tool-loops/codex.ts'
import { openGeminiCli } from './tool-loops/gemini-cli.ts'
import { type Recorded, record } from './tool-loops/recording.ts'
import { longPrompt, offered } from './tool-loops/tools.ts'
import { lostFields } from './tool-loops/unsupported-fields.ts'
import { run } from './tool-loops/workshop.ts'

/** Programs that work with tools, on official clients, at providers of every language that refuse what the real ones refuse. */

interface Program {
  readonly name: string
  readonly change: ScriptedCall
  open(place: AgentPlace): Agent
  /** Patterns of the beginning and the end of a stream, each matched once. */
  readonly marks: readonly RegExp[]
  /** True if results may hold pictures. */
  readonly pictures: boolean
}

const patch = '*** Begin Patch\n*** Update File: src/b.ts\n-"été"\n+"夏" \\ 🧑‍🔧\n*** End Patch'
const change = { file_path: 'src/b.ts', old_string: '“été”', new_string: '“夏” \\ "🧑‍🔧"\n' }

const programs: readonly Program[] = [
  {
    name: 'Claude Code',
    change: { name: 'Edit', input: change },
    open: openClaudeCode,
    marks: [/^event: message_start$/gm, /^event: message_delta$/gm, /^event: message_stop$/gm],
    pictures: true,
  },
  {
    name: 'Codex',
    change: { name: 'apply_patch', input: patch },
    open: openCodex,
    marks: [/^event: response\.created$/gm, /^event: response\.completed$/gm],
    pictures: true,
  },
  {
    name: 'Gemini CLI',
    change: { name: 'Edit', input: change },
    open: openGeminiCli,
    marks: [/"finishReason"/g],
    pictures: true,
  },
  {
    name: 'an agent of chat completions',
    change: { name: 'Edit', input: change },
    open: openChatAgent,
    marks: [/"finish_reason":"/g, /^data: \[DONE\]$/gm],
    pictures: false,
  },
  {
    name: 'an agent of chat completions that drops thoughts',
    change: { name: 'Edit', input: change },
    open: openForgetfulAgent,
    marks: [/"finish_reason":"/g, /^data: \[DONE\]$/gm],
    pictures: false,
  },
]

interface Target {
  readonly name: string
  readonly model: string
  readonly channel: Readonly<Record<string, unknown>>
  /** True if it tells what it thinks, and wants it back with the calls that followed. */
  readonly thinks: boolean
  /** True if it gives its calls ids. */
  readonly ids: boolean
  readonly kind: 'chat' | 'deepseek' | 'responses' | 'anthropic' | 'gemini'
}

const bedrockKey = 'AKIAEXAMPLE|secret-of-bedrock|us-east-1'

const targets: readonly Target[] = [
  { name: 'chat completions', model: 'gpt-5.2', channel: { type: 3 }, thinks: false, ids: true, kind: 'chat' },
  {
    name: 'chat completions that think',
    model: 'deepseek-reasoner',
    channel: { type: 43 },
    thinks: true,
    ids: true,
    kind: 'deepseek',
  },
  { name: 'responses', model: 'gpt-5.2-codex', channel: { type: 1 }, thinks: true, ids: true, kind: 'responses' },
  { name: 'Anthropic', model: 'claude-sonnet-4-5', channel: { type: 14 }, thinks: true, ids: true, kind: 'anthropic' },
  { name: 'Gemini', model: 'gemini-3-pro-preview', channel: { type: 24 }, thinks: true, ids: true, kind: 'gemini' },
  {
    name: 'Gemini before its third family',
    model: 'gemini-2.5-pro',
    channel: { type: 24 },
    thinks: true,
    ids: false,
    kind: 'gemini',
  },
  {
    name: 'Claude at Bedrock',
    model: 'claude-sonnet-4-5-20250929',
    channel: { type: 33, key: bedrockKey },
    thinks: true,
    ids: true,
    kind: 'anthropic',
  },
  {
    name: 'Gemini at Vertex',
    model: 'gemini-3-flash-preview',
    channel: { type: 41, other: 'global' },
    thinks: true,
    ids: true,
    kind: 'gemini',
  },
]

const questions = ['Fix “b.ts”, bitte — 请修复。', 'And the README?'] as const

let site: Site
let upstream: StrictUpstream
let books: Books
let key: string
let recording: ReturnType<typeof record>

beforeAll(async () => {
  upstream = await startStrictUpstream()
  site = await startSite()
  const operator = await signIn(site.url)
  books = openBooks(operator)
  await operator.must('PUT', '/api/user/', { id: operator.id, quota: 1_000_000_000 })
  await operator.must('PUT', '/api/option/', { key: 'SelfUseModeEnabled', value: true })
  for (const { name, model, channel } of targets)
    await addChannel(operator, upstream.url, { name, models: model, ...channel })
  key = await addKey(operator)
  recording = record(site.url)
})
afterAll(async () => {
  recording?.end()
  await site?.remove()
  await upstream?.close()
})

/** The texts or thoughts of all turns. */
const textsOf = (turns: readonly Turn[], whole: 'thought' | 'text'): string[] => turns.map((turn) => turn[whole])

const checkTurns = (turns: readonly Turn[], program: Program, target: Target): void => {
  const script = steps(program.change)
  expect(textsOf(turns, 'text')).toEqual(script.map(({ text = '' }) => text))
  expect(textsOf(turns, 'thought')).toEqual(script.map(({ thought = '' }) => (target.thinks ? thought : '')))
  expect(turns.map(({ calls }) => calls.map(({ name, input }) => ({ name, input })))).toEqual(
    script.map(({ calls }) => calls),
  )
}

/** The provider's own ids, each once. */
const checkIds = (calls: readonly ReceivedCall[], target: Target): void => {
  if (calls.every(({ id }) => id === '')) return
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
  const last = upstream.received.at(-1)
  if (target.ids) expect(last?.calls.map(({ id }) => id)).toEqual(calls.map(({ id }) => id))
}

/** Free text where the provider takes objects only. */
const asSent = (input: unknown): unknown => (typeof input === 'string' ? { input } : input)

const checkReceived = (turns: readonly Turn[], program: Program, target: Target): void => {
  const last = upstream.received.at(-1)
  const calls = turns.flatMap((turn) => turn.calls)
  checkIds(calls, target)
  expect(last?.system).toContain(longPrompt)
  expect(last?.userTexts).toEqual(expect.arrayContaining([...questions]))
  expect(last?.assistantTexts.join('')).toBe(textsOf(turns.slice(0, -1), 'text').join(''))
  expect(last?.calls.map(({ name, input }) => ({ name, input: asSent(input) }))).toEqual(
    calls.map(({ name, input }) => ({ name, input: asSent(input) })),
  )
  expect(last?.results).toHaveLength(calls.length)
  for (const [at, call] of calls.entries()) {
    expect(last?.results[at]?.text).toContain(run(call).text)
    if (target.ids) expect(last?.results[at]?.id).toBe(call.id)
  }
  expect(last?.pictures).toBe(program.pictures ? 1 : 0)
  const schemas = last?.tools.filter(({ name }) => name !== 'apply_patch')
  expect(schemas).toEqual(offered.map(({ name, schema }) => ({ name, schema })))
}

/** Of every answer that called a tool. */
const checkThoughts = (turns: readonly Turn[]): void => {
  const needed = turns.filter(({ calls }) => calls.length > 0).map(({ thought }) => thought)
  const [last] = upstream.received.slice(-1)
  expect(last?.thoughts.filter((thought) => needed.includes(thought))).toEqual(needed)
  expect(last?.thoughts).not.toContain('unknown')
  expect(JSON.stringify(upstream.bodies)).not.toMatch(/skip_thought_signature_validator|tollgate:/)
}

const checkStreams = async (answers: readonly Recorded[], { marks }: Program): Promise<void> => {
  expect(answers).toHaveLength(upstream.charged.length)
  for (const { text } of answers) {
    const received = await text
    expect(marks.map((mark) => received.match(mark)?.length)).toEqual(marks.map(() => 1))
    expect(received).not.toContain('\uFFFD')
  }
}

const lostIn = (answer: Recorded | undefined): readonly string[] | undefined =>
  answer?.headers.get('x-tollgate-lost-fields')?.split(', ')

const checkBooks = async (answers: readonly Recorded[]): Promise<void> => {
  for (const [at, answer] of answers.entries()) {
    const entry = await books.entry(answer.headers.get('x-oneapi-request-id') ?? '')
    const { input = 0, cached = 0, output = 0 } = upstream.charged[at] ?? {}
    expect(entry).toMatchObject({ type: 2, prompt_tokens: input + cached, completion_tokens: output, is_stream: true })
    expect(entry.other.receipt?.estimated).toBe(false)
    expect(entry.other.lost_fields).toEqual(lostIn(answer))
  }
}

/** Asks everything; a refusal says what the provider complained about. */
const work = async (agent: Agent): Promise<readonly Turn[]> => {
  const turns: Turn[] = []
  for (const question of questions) {
    const answers = await agent.ask(question).catch((error: unknown) => {
      throw new Error(`${upstream.complaints.join('\n')}\n${error}`)
    })
    turns.push(...answers)
  }
  return turns
}

const begin = (program: Program): void => {
  upstream.play(steps(program.change))
  recording.answers.length = 0
}

/** Another model for every answer. */
const changingPlace = (models: readonly string[]): AgentPlace => {
  let requestCount = 0
  return {
    url: site.url,
    key,
    get model() {
      requestCount += 1
      return models[(requestCount - 1) % models.length] ?? ''
    },
  }
}

const mixed = ['gemini-3-pro-preview', 'claude-sonnet-4-5', 'gpt-5.2-codex', 'deepseek-reasoner', 'gpt-5.2']

/** Words of chat completions go there untouched, so what they refuse of another is between the two. */
const ownChat = ['deepseek-reasoner', 'gpt-5.2']

describe.each(programs)('$name', (program) => {
  it.each(targets)('works with tools at $name', async (target) => {
    begin(program)
    const turns = await work(program.open({ url: site.url, key, model: target.model }))
    expect(upstream.complaints).toEqual([])
    checkTurns(turns, program, target)
    checkReceived(turns, program, target)
    if (target.thinks && target.ids) checkThoughts(turns)
    await checkStreams(recording.answers, program)
    await checkBooks(recording.answers)
    expect(lostIn(recording.answers.at(-1))).toEqual(lostFields[program.name]?.[target.kind])
  })

  it.each([
    ['forwards', mixed],
    ['backwards', mixed.toReversed()],
    ['and comes back', ['claude-sonnet-4-5', 'gemini-3-pro-preview', 'claude-sonnet-4-5', 'gpt-5.2-codex']],
  ])('goes on with its work when it changes the model every time, %s', async (_, all) => {
    const models = all.filter((model) => program.pictures || !ownChat.includes(model))
    begin(program)
    const turns = await work(program.open(changingPlace(models)))
    expect(upstream.complaints).toEqual([])
    const calls = turns.flatMap((turn) => turn.calls)
    const last = upstream.received.at(-1)
    expect(textsOf(turns, 'text')).toEqual(steps(program.change).map(({ text = '' }) => text))
    expect(last?.calls.map(({ name, input }) => ({ name, input: asSent(input) }))).toEqual(
      calls.map(({ name, input }) => ({ name, input: asSent(input) })),
    )
    expect(last?.results.map(({ text }, at) => text.includes(run(calls[at] as ReceivedCall).text))).toEqual(
      calls.map(() => true),
    )
    expect(JSON.stringify(upstream.bodies)).not.toContain('tollgate:')
  })
})
