import type { BatchResult, BodyOf, batchChannels, changeChannelModels, Language } from '@tollgate/contract'
import type { Actor } from '../../http/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { runBatch } from '../../lib/batch.ts'
import type { ChannelListing } from './models/lists.ts'
import type { ChannelService } from './service.ts'

type Act = BodyOf<typeof batchChannels>['act']

/** Does the same to the channels of a batch, each as if it had been asked for alone, with a trace of its own. */
export const runChannelBatch = async (
  parts: { readonly channels: ChannelService; readonly listing: ChannelListing },
  { which, act }: BodyOf<typeof batchChannels>,
  by: { readonly actor: Actor; readonly language: Language },
): Promise<BatchResult> => {
  const { channels, listing } = parts
  const batch = await listing.batch(which)
  return runBatch(batch, {
    name: ({ name }) => name,
    language: by.language,
    value: (row) => (act.kind === 'delete' ? null : row[act.kind]),
    act: ({ id }) =>
      act.kind === 'delete' ? remove(channels, id, by.actor) : channels.update(id, fieldOf(act), by.actor),
  })
}

/** Changes the models of each channel, whose names the answer tells with what was refused. */
export const runModelChanges = async (
  { channels, listing }: { readonly channels: ChannelService; readonly listing: ChannelListing },
  { rows }: BodyOf<typeof changeChannelModels>,
  by: { readonly actor: Actor; readonly language: Language },
): Promise<BatchResult> => {
  const changes = new Map(rows.map((row) => [row.id, row]))
  return runBatch(await listing.batch({ ids: [...changes.keys()] }), {
    name: ({ name }) => name,
    language: by.language,
    value: ({ models }) => models,
    act: async ({ id }) => channels.changeModels(id, changes.get(id) ?? { add: [], remove: [] }, by.actor),
  })
}

const remove = async (channels: ChannelService, id: number, actor: Actor): Promise<void> => {
  if ((await channels.remove([id], actor)) === 0) throw new AppError('channel_not_found')
}

const fieldOf = ({ kind: _kind, ...field }: Exclude<Act, { kind: 'delete' }>) => field
