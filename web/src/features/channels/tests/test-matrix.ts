import { useRef, useState } from 'react'
import { type Channel, type ChannelTestLine, calls, mostRunAtOnce } from '../../../lib/api/contract.ts'
import { callLines } from '../../../lib/api/line-stream.ts'
import { useBatchedState } from '../../../lib/loading/batched-state.ts'
import { errorText } from '../../../lib/text/error-text.ts'
import { refusalText } from '../../../lib/text/refusal-text.ts'

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

const resultOf = (line: ChannelTestLine): TestResult => {
  if (line.state === 'failed') return { state: 'failed', error: refusalText(line.error, line) }
  if (line.state === 'running') return line
  return { state: 'ok', seconds: line.time, first: line.first_content_time, answer: line.answer }
}

interface Asking {
  settings: TestSettings
  signal: AbortSignal
  onResult: (id: string, result: TestResult) => void
}

/** Tests rows in one call. Rows that the call did not reach are stopped, or failed if the call broke off. */
const ask = async (rows: readonly TestRow[], { settings, signal, onResult }: Asking): Promise<void> => {
  const { timeout, stream, prompt, parallel } = settings
  const open = new Set(rows.map(({ id }) => id))
  const body = {
    rows: rows.map(({ channel, model }) => ({ id: channel.id, model })),
    parallel,
    stream,
    prompt: prompt.trim(),
    timeout_seconds: timeout,
  }
  const onLine = (line: ChannelTestLine): void => {
    const id = `${line.id}|${line.model}`
    if (line.state !== 'running') open.delete(id)
    onResult(id, resultOf(line))
  }
  let left: TestResult = { state: 'stopped' }
  try {
    await callLines(calls.runChannelTests, { body }, { signal, onLine })
  } catch (error) {
    if (!signal.aborted) left = { state: 'failed', error: errorText(error) }
  }
  for (const id of open) onResult(id, left)
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
  const [results, keep] = useBatchedState<string, TestResult>()
  const [busy, setBusy] = useState(0)
  const abort = useRef<AbortController>(undefined)

  const run = async (rows: readonly TestRow[], settings: TestSettings): Promise<void> => {
    if (!abort.current || abort.current.signal.aborted) abort.current = new AbortController()
    const { signal } = abort.current
    for (const { id } of rows) keep(id, { state: 'waiting' })
    setBusy((count) => count + 1)
    for (let from = 0; from < rows.length; from += mostRunAtOnce)
      await ask(rows.slice(from, from + mostRunAtOnce), { settings, signal, onResult: keep })
    setBusy((count) => count - 1)
  }
  return { results, busy: busy > 0, run, stop: () => abort.current?.abort() }
}
