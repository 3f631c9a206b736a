import {
  batchChannels,
  browseChannels,
  type Channel,
  changeChannelModels,
  channelStatus,
  copyChannel,
  countChannels,
  createChannel,
  deleteChannel,
  deleteChannels,
  deleteDisabledChannels,
  disableTag,
  enableTag,
  explainRouting,
  fetchChannelModels,
  fetchModels,
  fixChannels,
  getChannel,
  getChannelWebhook,
  type Language,
  listChannelAttention,
  listChannels,
  listChannelTypes,
  permits,
  searchChannels,
  tagChannels,
  updateChannel,
  updateTag,
} from '@tollgate/contract'
import { actorOf } from '../../http/actor.ts'
import type { ConsoleCaller, On } from '../../http/route.ts'
import type { Attention } from './attention.ts'
import { runChannelBatch, runModelChanges } from './batch.ts'
import { withDisabledCause } from './disabled-info.ts'
import { type ExplainParts, explainRoutingOf } from './explain-routing.ts'
import { type JobRouteParts, jobRoutes } from './jobs/job-routes.ts'
import { runRoutes } from './jobs/run-routes.ts'
import { keyRoutes } from './keys/key-routes.ts'
import type { ChannelKeys } from './keys/keys.ts'
import type { ChannelListing, SearchedBy } from './models/lists.ts'
import type { UpstreamModels } from './models/upstream-models.ts'
import type { ChannelService } from './service.ts'
import { hasAccountWebhooks, offeredTypes } from './types.ts'

export interface ChannelRouteParts extends JobRouteParts {
  readonly channels: ChannelService
  readonly listing: ChannelListing
  readonly models: UpstreamModels
  readonly keys: ChannelKeys
  /** Present state of routing. */
  readonly routing: ExplainParts
  readonly attention: Attention
  /** The address for webhooks of a channel's account; undefined where the site has no public one. */
  readonly webhookOf: (channelId: number) => string | undefined
}

/** The console's calls for channels. */
export const channelRoutes = (on: On, parts: ChannelRouteParts): void => {
  readRoutes(on, parts)
  changeRoutes(on, parts.channels)
  batchRoutes(on, parts)
  keyRoutes(on, parts.keys)
  jobRoutes(on, parts)
  runRoutes(on, parts)
}

const forReader = (channels: readonly Channel[], language: Language): Channel[] =>
  channels.map((channel) => withDisabledCause(channel, language))

/** A search by keys answers guesses at them, so it is for those who may change channels. */
const searchedBy = (caller: Pick<ConsoleCaller, 'permissions'>): SearchedBy => ({
  byKey: permits(caller.permissions, 'channels', 'write'),
})

const readRoutes = (on: On, parts: ChannelRouteParts): void => {
  const { channels, listing, models, routing, attention, webhookOf } = parts
  on(explainRouting, ({ query }) => ({ data: explainRoutingOf(routing, query) }))
  on(listChannels, async ({ query, language }) => ({ data: forReader(await listing.list(query), language) }))
  on(searchChannels, async ({ query, language, caller }) => ({
    data: forReader(await listing.search(query, searchedBy(caller)), language),
  }))
  on(browseChannels, async ({ query, language, caller }) => {
    const page = await listing.browse(query, searchedBy(caller))
    return { data: { ...page, items: forReader(page.items, language) } }
  })
  on(countChannels, async ({ query, caller }) => ({ data: await listing.facet(query, searchedBy(caller)) }))
  on(listChannelAttention, async () => ({
    data: [...(await attention())].map(([channel_id, reasons]) => ({ channel_id, reasons: [...reasons] })),
  }))
  on(listChannelTypes, () => ({ data: offeredTypes() }))
  on(getChannel, async ({ params, language }) => ({ data: withDisabledCause(await channels.get(params.id), language) }))
  on(getChannelWebhook, async ({ params }) => {
    const { id, type } = await channels.get(params.id)
    return { data: { url: (hasAccountWebhooks(type) ? webhookOf(id) : undefined) ?? '' } }
  })
  on(fetchChannelModels, async ({ params }) => ({ data: await models.ofStored(params.id) }))
  on(fetchModels, async (call) => {
    const { id = 0, type, base_url } = call.body
    await channels.note('fetch_models', id, { type, base_url: base_url ?? '' }, actorOf(call))
    return { data: await models.ofRequest(call.body) }
  })
}

const changeRoutes = (on: On, channels: ChannelService): void => {
  on(createChannel, async (call) => ({ data: { ids: await channels.create(call.body, actorOf(call)) } }))
  on(updateChannel, async (call) => {
    const { id, ...fields } = call.body
    return { data: withDisabledCause(await channels.update(id, fields, actorOf(call)), call.language) }
  })
  on(copyChannel, async (call) => ({ data: await channels.copy(call.params.id, actorOf(call)) }))
  on(deleteChannel, async (call) => {
    await channels.remove([call.params.id], actorOf(call))
    return {}
  })
}

const batchRoutes = (on: On, { channels, listing }: ChannelRouteParts): void => {
  on(batchChannels, async (call) => ({
    data: await runChannelBatch({ channels, listing }, call.body, { actor: actorOf(call), language: call.language }),
  }))
  on(changeChannelModels, async (call) => ({
    data: await runModelChanges({ channels, listing }, call.body, { actor: actorOf(call), language: call.language }),
  }))
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
