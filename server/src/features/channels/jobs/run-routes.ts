import {
  type ChannelTestLine,
  fetchManyModels,
  type Language,
  type OfferedModelsLine,
  runChannelTests,
} from '@tollgate/contract'
import type { FileAnswer, On } from '../../../http/route.ts'
import { AppError } from '../../../lib/app-error.ts'
import { someAtOnce, type Teller, toldLines } from '../../../lib/told-lines.ts'
import { actorOf } from '../actor.ts'
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

const linesOf = <Line>(name: string, work: (teller: Teller<Line>) => Promise<void>): FileAnswer => ({
  name: `${name}.ndjson`,
  type: 'application/x-ndjson',
  parts: toldLines(work),
  // Proxies that collect answers would hand out all lines at the end.
  headers: { 'X-Accel-Buffering': 'no' },
})

/** What was refused, in words; anything else is a fault of ours and breaks the answer off. */
const reasonOf = (error: unknown, language: Language): string => {
  if (error instanceof AppError) return error.textIn(language)
  throw error
}

/** What is asked of many channels at once and told as it comes. */
export const runRoutes = (on: On, { channels, test, models }: RunRouteParts): void => {
  const tested = createTracedTest({ channels, test })

  on(runChannelTests, (call) => {
    const { rows, parallel, timeout_seconds, ...asked } = call.body
    const how = { ...asked, timeoutMs: timeout_seconds * 1000 }
    const { caller, language } = call
    const work = ({ tell, isHeard }: Teller<ChannelTestLine>): Promise<void> =>
      someAtOnce(rows, { atOnce: parallel, goesOn: isHeard }, async (row) => {
        tell({ ...row, state: 'running' })
        try {
          const result = await tested(row.id, { ...how, model: row.model }, caller, actorOf(call))
          const { time, firstContentTime: first_content_time } = result
          tell({ ...row, state: 'ok', time, first_content_time, answer: shownAnswer(result) })
        } catch (error) {
          tell({ ...row, state: 'failed', error: reasonOf(error, language) })
        }
      })
    return { file: linesOf('channel-tests', work) }
  })
  on(fetchManyModels, async (call) => {
    const { ids } = call.body
    await channels.note('fetch_models', 0, { channels: ids.length }, actorOf(call))
    const work = ({ tell, isHeard }: Teller<OfferedModelsLine>): Promise<void> =>
      someAtOnce(ids, { atOnce: listsAtOnce, goesOn: isHeard }, async (id) => {
        const line = await models.ofStored(id).then(
          (names) => ({ id, models: names }),
          (error: unknown) => ({ id, error: reasonOf(error, call.language) }),
        )
        tell(line)
      })
    return { file: linesOf('channel-models', work) }
  })
}
