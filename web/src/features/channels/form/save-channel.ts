import { ownMember } from '@tollgate/contract/own-member'
import { ApiError, call } from '../../../lib/api/api.ts'
import { type Channel, calls } from '../../../lib/api/contract.ts'
import { notifyOffer } from '../../../lib/notify.tsx'
import { useAction } from '../../../lib/query.ts'
import { useTestChannel } from '../tests/test-channel.ts'
import { bodyOf, type ChannelValues, changesOf } from './fields.ts'
import { useChannelFormMessages } from './form-messages.ts'
import type { ValueName } from './tabs/tab-of.ts'

/** Fields that the server's refusals are about, where the form could not know them. */
const fieldOfRefusal: Readonly<Record<string, ValueName>> = {
  channel_address_invalid: 'baseUrl',
  channel_models_required: 'models',
  channel_model_too_long: 'models',
  channel_mapping_invalid: 'mapping',
  channel_mapping_loop: 'mapping',
  channel_status_mapping_invalid: 'statusMapping',
  channel_override_invalid: 'override',
  channel_setting_unknown: 'setting',
  channel_headers_invalid: 'headers',
  channel_cost_invalid: 'costPrices',
  channel_passthrough_invalid: 'rawPaths',
  group_unknown: 'groups',
}

/** Saves the form; `onRefused` gets the field that the server refused, with its reason. Offers a test of a new channel. */
export const useSaveChannel = (
  channel: Channel | undefined,
  onRefused: (name: ValueName, text: string) => void,
): ((values: ChannelValues) => Promise<unknown>) => {
  const say = useChannelFormMessages()
  const test = useTestChannel()
  const save = useAction(
    async (values: ChannelValues): Promise<readonly number[]> => {
      if (!channel) return (await call(calls.createChannel, { body: bodyOf(values) })).ids
      await call(calls.updateChannel, { body: { ...changesOf(channel, values), id: channel.id } })
      return []
    },
    {
      done: (ids) => (channel ? say('updated') : ids.length === 1 ? undefined : say('created')),
      onDone: (ids, { name }) => {
        const [id] = ids
        if (id !== undefined && ids.length === 1)
          notifyOffer(say('created'), say('testNow'), () => void test({ id, name }))
      },
      refresh: [
        calls.browseChannels,
        calls.getChannel,
        calls.searchChannels,
        calls.listChannelKeys,
        calls.listUnpricedModels,
      ],
    },
  )
  return (values) =>
    save.submit(values).catch((error: unknown) => {
      const field = error instanceof ApiError ? ownMember(fieldOfRefusal, error.code) : undefined
      if (field && error instanceof ApiError) onRefused(field, error.message)
      throw error
    })
}
