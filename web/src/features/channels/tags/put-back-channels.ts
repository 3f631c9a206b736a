import { putBack, reasonsOf } from '../../../components/batch/put-back.ts'
import { call } from '../../../lib/api/api.ts'
import { type BodyInputOf, type batchChannels, type Channel, calls } from '../../../lib/api/contract.ts'

type Act = BodyInputOf<typeof batchChannels>['act']

/** Gives channels back what a field of theirs held, which may have differed; resolves to why some could not be. */
export const putBackChannels = async (
  channels: readonly Channel[],
  field: 'status' | 'priority' | 'weight',
  actOf: (value: unknown) => Act | undefined,
): Promise<string[]> => {
  const before = channels.map((channel) => ({ id: channel.id, value: channel[field] }))
  return reasonsOf(await putBack(before, actOf, (which, act) => call(calls.batchChannels, { body: { which, act } })))
}
