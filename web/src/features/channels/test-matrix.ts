import { useRef, useState } from 'react'
import { callWhole } from '../../lib/api.ts'
import { type Channel, calls } from '../../lib/contract.ts'

/** One model of one channel. */
export interface TestRow {
  readonly id: string
  readonly channel: Channel
  readonly model: string
}

export type TestResult =
  | { readonly state: 'waiting' | 'running' | 'stopped' }
  | { readonly state: 'ok'; readonly seconds: number; readonly first: number | null; readonly answer: string }
  | { readonly state: 'failed'; readonly error: string }

export type TestScope = 'default' | 'all'

export interface TestSettings {
  readonly parallel: number
  readonly timeout: number
  readonly stream: boolean
  readonly prompt: string
}

export const usualSettings: TestSettings = { parallel: 4, timeout: 60, stream: false, prompt: '' }

const modelsOf = ({ models }: Channel): string[] => models.split(',').filter(Boolean)

/** The rows that a search leaves: every model, or the one that a channel is tested with by default. */
export const testRows = (channels: readonly Channel[], scope: TestScope, search: string): TestRow[] =>
  channels.flatMap((channel) => {
    const all = modelsOf(channel)
    const usual = channel.test_model || (all[0] ?? '')
    return (scope === 'all' ? all : [usual])
      .filter((model) => model !== '' && model.toLowerCase().includes(search.trim().toLowerCase()))
      .map((model) => ({ id: `${channel.id}|${model}`, channel, model }))
  })

export type TestResults = ReadonlyMap<string, TestResult>

/** Channels of which every tested row failed. */
export const failingChannels = (rows: readonly TestRow[], results: TestResults): Channel[] => {
  const byChannel = Map.groupBy(rows, ({ channel }) => channel)
  return [...byChannel]
    .filter(([, own]) => {
      const states = own.map(({ id }) => results.get(id)?.state)
      return states.includes('failed') && !states.includes('ok')
    })
    .map(([channel]) => channel)
}

const ask = async ({ channel, model }: TestRow, settings: TestSettings, signal: AbortSignal): Promise<TestResult> => {
  const { timeout, stream, prompt } = settings
  const body = { model, stream, prompt: prompt.trim(), timeout_seconds: timeout }
  try {
    const { data } = await callWhole(calls.runChannelTest, { params: { id: channel.id }, body }, signal)
    if (!data) return { state: 'failed', error: '' }
    return { state: 'ok', seconds: data.time, first: data.first_content_time, answer: data.answer }
  } catch (error) {
    if (signal.aborted) return { state: 'stopped' }
    return { state: 'failed', error: error instanceof Error ? error.message : String(error) }
  }
}

export interface TestMatrix {
  readonly results: TestResults
  readonly busy: boolean
  /** Tests the rows, some at once; resolves when all are done or it was stopped. */
  run: (rows: readonly TestRow[], settings: TestSettings) => Promise<void>
  stop: () => void
}

/** Tests of many models of many channels, each result kept as it comes. */
export const useTestMatrix = (): TestMatrix => {
  const [results, setResults] = useState<TestResults>(new Map())
  const [busy, setBusy] = useState(0)
  const abort = useRef<AbortController>(undefined)

  const keep = (entries: Iterable<readonly [string, TestResult]>): void =>
    setResults((before) => new Map([...before, ...entries]))
  const run = async (rows: readonly TestRow[], settings: TestSettings): Promise<void> => {
    if (!abort.current || abort.current.signal.aborted) abort.current = new AbortController()
    const { signal } = abort.current
    const waiting = [...rows]
    keep(rows.map(({ id }) => [id, { state: 'waiting' }] as const))
    setBusy((count) => count + 1)
    const worker = async (): Promise<void> => {
      for (let row = waiting.shift(); row; row = waiting.shift()) {
        if (signal.aborted) {
          keep([[row.id, { state: 'stopped' }]])
          continue
        }
        keep([[row.id, { state: 'running' }]])
        keep([[row.id, await ask(row, settings, signal)]])
      }
    }
    await Promise.all(Array.from({ length: settings.parallel }, worker))
    setBusy((count) => count - 1)
  }
  return { results, busy: busy > 0, run, stop: () => abort.current?.abort() }
}
