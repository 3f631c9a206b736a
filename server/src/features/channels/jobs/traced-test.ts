import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { UpstreamFailure } from '../../../relay/ports.ts'
import { failureText, reasonParams } from '../reasons.ts'
import type { ChannelService } from '../service.ts'
import type { ChannelTestResult, TestAsk, TestChannel, Tester } from './test-run.ts'

const longestAnswer = 2000

/** The answer, cut to the length that the console shows. */
export const shownAnswer = ({ text }: ChannelTestResult): string => text.slice(0, longestAnswer)

/** An error of ours by its own name, what an upstream wrote as it is. */
const testError = (failure: UpstreamFailure, time: number): AppError => {
  const { sentence } = failure
  if (sentence !== undefined) return new AppError(sentence.code, { params: sentence.params, beside: { time } })
  return new AppError('channel_test_failed', { params: reasonParams(failureText(failure)), beside: { time } })
}

/** Runs a manually started test and writes its audit entry; throws the upstream's error. */
export const createTracedTest =
  ({ channels, test }: { readonly channels: Pick<ChannelService, 'note'>; readonly test: TestChannel }) =>
  async (id: number, options: TestAsk, tester: Tester, actor: Actor): Promise<ChannelTestResult> => {
    const result = await test(id, options, tester)
    const { failure, time, model } = result
    const outcome = failure ? { error: failureText(failure) } : { seconds: time }
    await channels.note('test', id, { model, ...outcome }, actor)
    if (failure) throw testError(failure, time)
    return result
  }
