import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { addChannel } from '../../e2e/support/operator.ts'
import { commonTrace, figuresOf, type Trace, type TracedSite, type TraceFigures } from './traced-call.ts'

/** Simple calls as official packages and programs send them: one text, a channel of the same dialect, whole and streamed. */

export interface SdkCall {
  readonly name: string
  /** Asks and reads the answer to its end. */
  readonly ask: () => Promise<unknown>
}

const question = 'Hello'
const turns = [{ role: 'user' as const, content: question }]

const drained = async (events: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of events);
}

/** Calls of each package, with its own headers; `stream` as the package asks for it. */
const packages = (url: string, apiKey: string): readonly SdkCall[] => {
  const openai = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })
  const anthropic = new Anthropic({ apiKey, baseURL: url, maxRetries: 0 })
  const genai = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } })
  const claude = { model: 'claude-opus-4-7', max_tokens: 100, messages: turns }
  const gemini = { model: 'gemini-2.5-flash', contents: question }
  const chat = (model: string) => ({ model, messages: turns })
  const chatStream = (model: string) => () =>
    openai.chat.completions.create({ ...chat(model), stream: true }).then(drained)
  return [
    { name: 'openai chat', ask: () => openai.chat.completions.create(chat('gpt-4o')) },
    { name: 'openai chat, streamed', ask: chatStream('gpt-4o') },
    {
      name: 'openai chat, streamed with usage',
      ask: () =>
        openai.chat.completions
          .create({ ...chat('gpt-4o'), stream: true, stream_options: { include_usage: true } })
          .then(drained),
    },
    { name: 'openai responses', ask: () => openai.responses.create({ model: 'gpt-4o', input: question }) },
    {
      name: 'openai responses, streamed',
      ask: () => openai.responses.create({ model: 'gpt-4o', input: question, stream: true }).then(drained),
    },
    {
      name: 'openai responses, not stored',
      ask: () => openai.responses.create({ model: 'gpt-4o', input: question, store: false }),
    },
    { name: 'anthropic', ask: () => anthropic.messages.create(claude) },
    { name: 'anthropic, streamed', ask: () => anthropic.messages.create({ ...claude, stream: true }).then(drained) },
    { name: 'anthropic, streamed by its helper', ask: () => anthropic.messages.stream(claude).finalMessage() },
    {
      name: 'anthropic, beta',
      ask: () => anthropic.beta.messages.create({ ...claude, betas: ['context-1m-2025-08-07'] }),
    },
    { name: 'genai', ask: () => genai.models.generateContent(gemini) },
    { name: 'genai, streamed', ask: () => genai.models.generateContentStream(gemini).then(drained) },
    {
      name: 'genai, with instructions',
      ask: () =>
        genai.models.generateContent({ ...gemini, config: { systemInstruction: 'Be kind.', maxOutputTokens: 50 } }),
    },
    { name: 'openai chat, two channels', ask: () => openai.chat.completions.create(chat('gpt-4.1')) },
    { name: 'openai chat, two channels, streamed', ask: chatStream('gpt-4.1') },
    { name: 'openai chat, three keys', ask: () => openai.chat.completions.create(chat('gpt-4.1-mini')) },
    { name: 'openai chat, mapped model', ask: () => openai.chat.completions.create(chat('gpt-4.1-nano')) },
    { name: 'openai chat, mapped model, streamed', ask: chatStream('gpt-4.1-nano') },
    {
      name: 'openai chat of 3 kB',
      ask: () =>
        openai.chat.completions.create({
          ...chat('gpt-4o'),
          messages: [{ role: 'user', content: 'word '.repeat(600) }],
        }),
    },
  ]
}

interface Head {
  readonly name: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

const stainless = {
  'x-stainless-arch': 'x64',
  'x-stainless-lang': 'js',
  'x-stainless-os': 'Linux',
  'x-stainless-package-version': '0.94.0',
  'x-stainless-retry-count': '0',
  'x-stainless-runtime': 'node',
  'x-stainless-runtime-version': 'v24.3.0',
  'x-stainless-timeout': '600',
}

const claudeCode = {
  ...stainless,
  accept: 'application/json',
  'anthropic-beta':
    'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27,prompt-caching-scope-2026-01-05',
  'anthropic-dangerous-direct-browser-access': 'true',
  'anthropic-version': '2023-06-01',
  'user-agent': 'claude-cli/2.1.332 (external, cli)',
  'x-app': 'cli',
  'x-claude-code-session-id': '5f2c3b0e-8a57-4c38-9d1e-2a41c53e7b10',
}

const codex = {
  accept: 'text/event-stream',
  originator: 'codex_cli_rs',
  'session-id': '019a6f1e-5c3c-7b52-9d61-0f7f0e3c2ab4',
  'thread-id': '019a6f1e-5c3c-7b52-9d61-0f7f0e3c2ab4',
  'user-agent': 'codex_cli_rs/0.171.0 (Debian 13.0.0; x86_64) xterm',
  version: '0.171.0',
}

const copilot = {
  'user-agent': 'OpenAI/JS 5.20.1',
  'x-stainless-helper-method': 'stream',
  'x-stainless-lang': 'js',
  'x-interaction-type': 'conversation-user',
  'x-initiator': 'user',
}

/**
 * Heads of programs with a body of one text. Copilot's is recorded. Those of Claude Code, Codex and OpenCode are written from
 * the headers that these programs are known to send; compare them with a recording before relying on a single header.
 */
const heads: readonly Head[] = [
  ...[false, true].map((stream) => ({
    name: `Claude Code${stream ? ', streamed' : ''}`,
    path: '/v1/messages?beta=true',
    headers: stream ? { ...claudeCode, 'x-stainless-helper-method': 'stream' } : claudeCode,
    body: { model: 'claude-opus-4-7', max_tokens: 100, messages: turns, stream },
  })),
  {
    name: 'Codex',
    path: '/v1/responses',
    headers: codex,
    body: {
      model: 'gpt-4o',
      instructions: 'Be kind.',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: question }] }],
      store: false,
      stream: true,
    },
  },
  {
    name: 'Copilot',
    path: '/v1/chat/completions',
    headers: copilot,
    body: { model: 'gpt-4o', messages: turns, stream: true, stream_options: { include_usage: true } },
  },
  {
    name: 'OpenCode',
    path: '/v1/chat/completions',
    headers: { 'user-agent': 'opencode/1.14.2', 'x-session-affinity': 'ses_1' },
    body: { model: 'gpt-4o', messages: turns, stream: true, stream_options: { include_usage: true } },
  },
  {
    name: 'Gemini with its key in the address',
    path: '/v1beta/models/gemini-2.5-flash:generateContent?key=KEY',
    headers: {},
    body: { contents: [{ role: 'user', parts: [{ text: question }] }] },
  },
]

const program = ({ name, path, headers, body }: Head, url: string, key: string): SdkCall => ({
  name,
  ask: async () => {
    const isInAddress = path.includes('KEY')
    const response = await fetch(url + path.replace('KEY', key), {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        ...(isInAddress ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${name} failed: ${text}`)
  },
})

/** Adds the channels that the calls go to. */
export const addSdkChannels = async ({ operator, upstream }: TracedSite): Promise<void> => {
  const others = [
    { type: 14, name: 'claude', models: 'claude-opus-4-7' },
    { type: 24, name: 'gemini', models: 'gemini-2.5-flash' },
    { name: 'one of two', models: 'gpt-4.1' },
    { name: 'the other', models: 'gpt-4.1' },
    { name: 'mapped', models: 'gpt-4.1-nano', model_mapping: JSON.stringify({ 'gpt-4.1-nano': 'gpt-4o' }) },
    { name: 'three keys', models: 'gpt-4.1-mini', key: 'sk-a\nsk-b\nsk-c' },
  ]
  for (const other of others) await addChannel(operator, upstream, other)
}

export const sdkCalls = ({ url, key }: TracedSite): readonly SdkCall[] => [
  ...packages(url, key),
  ...heads.map((head) => program(head, url, key)),
]

/** Functions of the general way, each by the step of a call that enters it. */
export const generalSteps: readonly (readonly [step: string, file: string, name: string])[] = [
  ['admission', 'gateway/auth/admit.ts', 'admitted'],
  ['plan', 'gateway/plan/compile-plan.ts', 'compilePlan'],
  ['hold', 'relay/holds/expected-call.ts', 'expectedCall'],
  ['loop', 'relay/routing/attempts/ask-in-turn.ts', 'askInTurn'],
  ['exchange', 'relay/exchange/exchange-for.ts', 'exchangeFor'],
  ['head', 'relay/exchange/attempt-request.ts', 'attemptRequest'],
  ['bill', 'relay/answer-bill.ts', 'answerBill'],
]

/** The steps of a call that went the general way. */
export const generalStepsOf = (trace: Trace): readonly string[] => {
  const entered = new Set(trace.map(([file, name]) => `${file} ${name}`))
  return generalSteps.filter(([, file, name]) => entered.has(`${file} ${name}`)).map(([step]) => step)
}

export interface SdkFigures extends TraceFigures {
  readonly name: string
  /** Steps at which the call left the plain way. */
  readonly left: readonly string[]
}

/** Traces a call so many times; it went plain where no step was left. */
export const sdkFigures = async (site: TracedSite, { name, ask }: SdkCall, times: number): Promise<SdkFigures> => {
  const trace = commonTrace(await site.traceCall(ask, times))
  return { name, left: generalStepsOf(trace), ...figuresOf(trace) }
}
