import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { failureText, reasonParams } from '../reasons.ts'
import type { ChannelService } from '../service.ts'
import type { ChannelTestResult, TestAsk, TestChannel, Tester } from './test-run.ts'

const longestAnswer = 2000

/** The answer, cut to the length that the console shows. */
export const shownAnswer = ({ text }: ChannelTestResult): string => text.slice(0, longestAnswer)

/** Error of a failed test: the advice, else an error of ours by its own name, else the upstream's text as it is. */
const testError = ({ failure, advice, time }: ChannelTestResult): AppError | undefined => {
  if (!failure) return undefined
  if (advice) return new AppError(advice.code, { params: advice.params, beside: { time }, cause: advice.cause })
  const { sentence } = failure
  if (sentence !== undefined) return new AppError(sentence.code, { params: sentence.params, beside: { time } })
  return new AppError('channel_test_failed', { params: reasonParams(failureText(failure)), beside: { time } })
}

/** Writes the audit entry of a manual test; throws its failure. `id` is 0 for a channel that is not saved. */
export const traceTest = async (
  channels: Pick<ChannelService, 'note'>,
  id: number,
  result: ChannelTestResult,
  actor: Actor,
): Promise<ChannelTestResult> => {
  const { failure, time, model } = result
  const outcome = failure ? { error: failureText(failure) } : { seconds: time }
  await channels.note('test', id, { model, ...outcome }, actor)
  const error = testError(result)
  if (error) throw error
  return result
}

/** Runs a manually started test and writes its audit entry; throws the upstream's error. */
export const createTracedTest =
  ({ channels, test }: { readonly channels: Pick<ChannelService, 'note'>; readonly test: TestChannel }) =>
  async (id: number, options: TestAsk, tester: Tester, actor: Actor): Promise<ChannelTestResult> =>
    traceTest(channels, id, await test(id, options, tester), actor)
