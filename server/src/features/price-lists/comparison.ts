import { inflateRawSync } from 'node:zlib'
import type { PriceSourceName } from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import { AppError } from '../../lib/app-error.ts'
import type { EgressGuard } from '../../lib/security/egress.ts'
import type { SourcePrices } from './differences.ts'
import type { ListComparison, PriceLists } from './price-lists.ts'
import type { PriceActor } from './propose.ts'
import { type RemoteSource, readerOf, readers } from './sources/index.ts'
import type { PriceReader } from './sources/source.ts'

export interface ComparisonParts {
  readonly lists: PriceLists
  /** For addresses that operators typed. */
  readonly egress: Pick<EgressGuard, 'check'>
  /** Reads a web address, bounded in time and size; rejects when it cannot be reached. */
  read(address: string): Promise<{ status: number; text: string }>
  /** Names that enabled channels serve. */
  names(): readonly string[]
  /** Addresses that replace the lists' public ones. */
  readonly addresses?: Readonly<Partial<Record<RemoteSource, string>>>
}

/** Compares the prices in force with a source or a file, and stores what differs as a proposal. */
export interface Comparison {
  /** Prices of a list; throws like `source`. */
  read(name: RemoteSource, address: string | undefined): Promise<SourcePrices>
  /** Throws `price_source_failed`, and what the egress guard throws. */
  source(name: PriceSourceName, address: string | undefined, actor: PriceActor): Promise<ListComparison>
  /** `packed` is the file, deflated and in base64. Throws `price_source_unknown`. */
  file(name: string, packed: string, actor: PriceActor): Promise<ListComparison>
}

const mostBytes = 16 * 1024 * 1024

const readWith = (reader: PriceReader, json: unknown): SourcePrices => {
  try {
    return reader.read(json)
  } catch (cause) {
    throw new AppError('price_source_unknown', { cause })
  }
}

const unpacked = (packed: string): unknown => {
  try {
    return parseJson(inflateRawSync(Buffer.from(packed, 'base64'), { maxOutputLength: mostBytes }).toString())
  } catch (cause) {
    throw new AppError('price_source_unknown', { cause })
  }
}

/** The list of a panel stands at the same place on all of them. */
const panelAddress = (address: string): string =>
  /\/api\/pricing\/?$/.test(address) ? address : `${address.replace(/\/+$/, '')}/api/pricing`

/** Without what may be secret in an address. */
const shownAddress = (address: string): string => {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`
}

export const openComparison = ({
  lists,
  egress,
  read: readAddress,
  names,
  addresses = {},
}: ComparisonParts): Comparison => {
  const fetched = async (address: string): Promise<unknown> => {
    await egress.check(address)
    try {
      const { status, text } = await readAddress(address)
      if (status !== 200) throw new Error(`status ${status}`)
      return JSON.parse(text)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new AppError('price_source_failed', { params: { reason }, cause })
    }
  }
  const addressOf = (name: RemoteSource, address: string | undefined): string => {
    const typed = address?.trim() || addresses[name] || readers[name].address
    if (typed === undefined) throw new AppError('invalid_parameter')
    return name === 'panel' ? panelAddress(typed) : typed
  }
  const read = async (name: RemoteSource, address: string | undefined): Promise<SourcePrices> =>
    readWith(readers[name], await fetched(addressOf(name, address)))
  return {
    read,
    async source(name, address, actor) {
      if (name === 'shipped') return lists.proposeShipped(names(), actor)
      const from = addressOf(name, address)
      const prices = await read(name, address)
      return lists.propose(`${name} ${shownAddress(from)}`, prices, { names: names(), actor })
    },
    async file(name, packed, actor) {
      const json = unpacked(packed)
      const reader = readerOf(json)
      if (reader === undefined) throw new AppError('price_source_unknown')
      return lists.propose(`file ${name}`, readWith(reader, json), { names: names(), actor })
    },
  }
}
