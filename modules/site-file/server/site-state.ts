import {
  browseChannels,
  type Channel,
  type ChannelType,
  listChannelTypes,
  listModelCards,
  listOptions,
  listVirtualModels,
  type ModelCard,
  type VirtualModel,
} from '@tollgate/contract'
import { z } from 'zod'
import type { SiteApi } from './site-api.ts'

/** A site as it is, without secrets. */
export interface SiteState {
  /** Text of each option that the caller may see. */
  readonly options: ReadonlyMap<string, string>
  /** Keys of secret options that hold something. */
  readonly secrets: ReadonlySet<string>
  readonly types: readonly ChannelType[]
  /** In the order of their ids. */
  readonly channels: readonly Channel[]
  readonly virtualModels: readonly VirtualModel[]
  readonly cards: readonly ModelCard[]
}

const storedSecrets = z.object({ stored_secrets: z.array(z.string()) })
const pageSize = 100

export const readChannels = async (api: SiteApi): Promise<Channel[]> => {
  const all: Channel[] = []
  for (let page = 1; ; page++) {
    const path = `${browseChannels.path}?p=${page}&page_size=${pageSize}&sort=id`
    const { items, total } = await api.call(browseChannels, { path })
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}

export const readSite = async (api: SiteApi): Promise<SiteState> => {
  const listed = await api.envelope(listOptions)
  return {
    options: new Map(listOptions.data?.parse(listed.data).map(({ key, value }) => [key, value])),
    secrets: new Set(storedSecrets.parse(listed).stored_secrets),
    types: await api.call(listChannelTypes),
    channels: await readChannels(api),
    virtualModels: await api.call(listVirtualModels),
    cards: await api.call(listModelCards),
  }
}

/**
 * Names that are each one channel's: of several with the same name the second is `name#2`, in the order of their ids.
 */
export const labelsOf = <C extends { readonly name: string }>(channels: readonly C[]): ReadonlyMap<string, C> => {
  const counts = new Map<string, number>()
  const labels = new Map<string, C>()
  for (const channel of channels) {
    const count = (counts.get(channel.name) ?? 0) + 1
    counts.set(channel.name, count)
    labels.set(count === 1 ? channel.name : `${channel.name}#${count}`, channel)
  }
  return labels
}
