import {
  type ChannelTestLine,
  fetchManyModels,
  type Language,
  type OfferedModelsLine,
  type RefusalFields,
  runChannelTests,
} from '@tollgate/contract'
import { actorOf } from '../../../http/actor.ts'
import type { FileAnswer, On } from '../../../http/route.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type LineWriter, ndjsonLines, someAtOnce } from '../../../lib/json/ndjson.ts'
import type { UpstreamModels } from '../models/upstream-models.ts'
import type { ChannelService } from '../service.ts'
import type { TestChannel } from './test-run.ts'
import { createTracedTest, shownAnswer } from './traced-test.ts'

export interface RunRouteParts {
  readonly channels: Pick<ChannelService, 'note'>
  readonly test: TestChannel
  readonly models: UpstreamModels
}

/** Lists are short and answered at once; more would only crowd upstreams that several channels share. */
const listsAtOnce = 8

const linesOf = <Line>(name: string, work: (writer: LineWriter<Line>) => Promise<void>): FileAnswer => ({
  name: `${name}.ndjson`,
  type: 'application/x-ndjson',
  parts: ndjsonLines(work),
  // Proxies that collect answers would hand out all lines at the end.
  headers: { 'X-Accel-Buffering': 'no' },
})

/** Error fields of a line about a refusal. Rethrows anything else, which breaks off the answer. */
const refusalOf = (error: unknown, language: Language): { readonly error: string } & RefusalFields => {
  if (error instanceof AppError) return { error: error.textIn(language), ...error.asFields }
  throw error
}

/** Endpoints that call many channels at once and stream one line per result. */
export const runRoutes = (on: On, { channels, test, models }: RunRouteParts): void => {
  const tested = createTracedTest({ channels, test })

  on(runChannelTests, (call) => {
    const { rows, parallel, timeout_seconds, ...options } = call.body
    const settings = { ...options, timeoutMs: timeout_seconds * 1000 }
    const { caller, language } = call
    const work = ({ write, isOpen }: LineWriter<ChannelTestLine>): Promise<void> =>
      someAtOnce(rows, { atOnce: parallel, while: isOpen }, async (row) => {
        write({ ...row, state: 'running' })
        try {
          const result = await tested(row.id, { ...settings, model: row.model }, caller, actorOf(call))
          const { time, firstContentTime: first_content_time } = result
          write({ ...row, state: 'ok', time, first_content_time, answer: shownAnswer(result) })
        } catch (error) {
          write({ ...row, state: 'failed', ...refusalOf(error, language) })
        }
      })
    return { file: linesOf('channel-tests', work) }
  })
  on(fetchManyModels, async (call) => {
    const { ids } = call.body
    await channels.note('fetch_models', 0, { channels: ids.length }, actorOf(call))
    const work = ({ write, isOpen }: LineWriter<OfferedModelsLine>): Promise<void> =>
      someAtOnce(ids, { atOnce: listsAtOnce, while: isOpen }, async (id) => {
        const line = await models.ofStored(id).then(
          (names) => ({ id, models: names }),
          (error: unknown) => ({ id, ...refusalOf(error, call.language) }),
        )
        write(line)
      })
    return { file: linesOf('channel-models', work) }
  })
}
