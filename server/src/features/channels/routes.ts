import {
  browseChannels,
  channelStatus,
  copyChannel,
  createChannel,
  deleteChannel,
  deleteChannels,
  deleteDisabledChannels,
  disableTag,
  enableTag,
  fetchChannelModels,
  fetchModels,
  fixChannels,
  getChannel,
  listChannels,
  listChannelTypes,
  searchChannels,
  tagChannels,
  testChannel,
  updateChannel,
  updateTag,
} from '@tollgate/contract'
import type { Caller, On } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import type { ChannelListing } from './lists.ts'
import type { Actor, ChannelService } from './service.ts'
import { failureText, type TestChannel } from './test-run.ts'
import { offeredTypes } from './types.ts'
import type { UpstreamModels } from './upstream-models.ts'

export interface ChannelRouteParts {
  readonly channels: ChannelService
  readonly listing: ChannelListing
  readonly models: UpstreamModels
  readonly test: TestChannel
}

const actorOf = ({ caller, ip }: { caller: Caller; ip: string }): Actor => ({
  id: caller.id,
  username: caller.username,
  ip,
})

/** The console's calls for channels. */
export const channelRoutes = (on: On, parts: ChannelRouteParts): void => {
  readRoutes(on, parts)
  changeRoutes(on, parts.channels)
  batchRoutes(on, parts.channels)
}

const readRoutes = (on: On, { channels, listing, models, test }: ChannelRouteParts): void => {
  on(listChannels, async ({ query }) => ({ data: await listing.list(query) }))
  on(searchChannels, async ({ query }) => ({ data: await listing.search(query) }))
  on(browseChannels, async ({ query }) => ({ data: await listing.browse(query) }))
  on(listChannelTypes, () => ({ data: offeredTypes() }))
  on(getChannel, async ({ params }) => ({ data: await channels.get(params.id) }))
  on(fetchChannelModels, async ({ params }) => ({ data: await models.ofStored(params.id) }))
  on(fetchModels, async (call) => {
    const { id = 0, type, base_url } = call.body
    await channels.note('fetch_models', id, { type, base_url: base_url ?? '' }, actorOf(call))
    return { data: await models.ofGiven(call.body) }
  })
  on(testChannel, async (call) => {
    const { params, query } = call
    const { failure, time } = await test(params.id, query.model, call.caller)
    const outcome = failure ? { error: failureText(failure) } : { seconds: time }
    await channels.note('test', params.id, { model: query.model, ...outcome }, actorOf(call))
    if (failure) throw new AppError('channel_test_failed', { params: { reason: failureText(failure) } })
    return { beside: { time } }
  })
}

const changeRoutes = (on: On, channels: ChannelService): void => {
  on(createChannel, async (call) => {
    await channels.create(call.body, actorOf(call))
    return {}
  })
  on(updateChannel, async (call) => {
    const { id, ...fields } = call.body
    return { data: await channels.update(id, fields, actorOf(call)) }
  })
  on(copyChannel, async (call) => ({ data: await channels.copy(call.params.id, actorOf(call)) }))
  on(deleteChannel, async (call) => {
    await channels.remove([call.params.id], actorOf(call))
    return {}
  })
}

const batchRoutes = (on: On, channels: ChannelService): void => {
  on(deleteDisabledChannels, async (call) => ({ data: await channels.removeDisabled(actorOf(call)) }))
  on(deleteChannels, async (call) => ({ data: await channels.remove(call.body.ids, actorOf(call)) }))
  on(tagChannels, async (call) => ({ data: await channels.tag(call.body.ids, call.body.tag, actorOf(call)) }))
  on(enableTag, async (call) => {
    await channels.setTagStatus(call.body.tag, channelStatus.enabled, actorOf(call))
    return {}
  })
  on(disableTag, async (call) => {
    await channels.setTagStatus(call.body.tag, channelStatus.disabled, actorOf(call))
    return {}
  })
  on(updateTag, async (call) => {
    await channels.updateTag(call.body, actorOf(call))
    return {}
  })
  on(fixChannels, async (call) => ({ data: await channels.fix(actorOf(call)) }))
}
