import type { ShownProvider } from '@tollgate/contract'
import type { Database } from '../../../db/database.ts'
import type { Log } from '../../../lib/log.ts'
import type { Bus } from '../../../lib/redis/bus.ts'
import { createSerialQueue } from '../../../lib/serial-queue.ts'
import type { FindRequiredWay, RequiredWay } from '../../../verification/required-way.ts'
import { readProviders, type StoredProvider } from './store.ts'

/** The identity providers, in memory on every node. */
export interface ProviderDirectory {
  all(): readonly StoredProvider[]
  bySlug(slug: string): StoredProvider | undefined
  /** What the login page shows; the same list while nothing has changed. */
  shown(): readonly ShownProvider[]
  readonly requiredFor: FindRequiredWay
  /** Reads them anew here and on the other nodes. */
  changed(): Promise<void>
  close(): void
}

const topic = 'identity_providers'

/** The part of an address behind its `@`, in lower case; empty without one. */
export const domainOf = (address: string): string => address.toLowerCase().split('@')[1]?.trim() ?? ''

export const openProviderDirectory = async (parts: {
  database: Database
  bus: Bus
  warn: Log['warn']
}): Promise<ProviderDirectory> => {
  const queue = createSerialQueue()
  let providers: readonly StoredProvider[] = []
  let shown: readonly ShownProvider[] = []
  let required: ReadonlyMap<string, RequiredWay> = new Map()

  const read = async (): Promise<void> => {
    providers = await readProviders(parts.database.query)
    // Only the site's count for everybody: nobody else may close a domain or stand on the login page.
    const open = providers.filter(({ enabled, organisation_id }) => enabled && organisation_id === 0)
    shown = open.map(({ slug, name, icon }) => ({ slug, name, icon }))
    required = new Map(
      open
        .filter(({ enforced }) => enforced)
        .flatMap(({ slug, name, domains }) => domains.map((domain) => [domain, { slug, name, domain }] as const)),
    )
  }
  const stop = parts.bus.subscribe(topic, (notice) => {
    if (notice.kind === 'message' && notice.own) return
    queue.run(read).catch((error: unknown) => parts.warn('identity_providers_not_read', { error }))
  })
  await queue.run(read)

  return {
    all: () => providers,
    bySlug: (slug) => providers.find((provider) => provider.slug === slug),
    shown: () => shown,
    requiredFor: (address) => required.get(domainOf(address)),
    async changed() {
      parts.bus.publish(topic)
      await queue.run(read)
    },
    close: stop,
  }
}
