import type { ShownProvider } from '@tollgate/contract'
import type { Database } from '../../../db/database.ts'
import type { Log } from '../../../lib/log.ts'
import type { Bus } from '../../../lib/redis/bus.ts'
import { createSerialQueue } from '../../../lib/serial-queue.ts'
import type { FindRequiredWay, RequiredWay } from '../../../verification/required-way.ts'
import { type ReadProvedDomains, readProviders, type StoredProvider } from './store.ts'

/** The identity providers, in memory on every node. */
export interface ProviderDirectory {
  all(): readonly StoredProvider[]
  bySlug(slug: string): StoredProvider | undefined
  /** Providers on the login page; the same list while nothing has changed. */
  shown(): readonly ShownProvider[]
  /** The enabled provider that is enforced for the domain of an address; of an organisation only while they may have their own. */
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
  readProved: ReadProvedDomains
  /** Option OrganisationProvidersEnabled. */
  organisationsMay(): boolean
}): Promise<ProviderDirectory> => {
  const queue = createSerialQueue()
  let providers: readonly StoredProvider[] = []
  let shown: readonly ShownProvider[] = []
  let required: ReadonlyMap<string, RequiredWay> = new Map()

  const read = async (): Promise<void> => {
    providers = await readProviders(parts.database.query, parts.readProved)
    // Only the site's stand on the login page.
    const open = providers.filter(({ enabled, organisation_id }) => enabled && organisation_id === 0)
    shown = open.map(({ slug, name, icon }) => ({ slug, name, icon }))
    // The site's count before those of organisations, and of two of the site that were switched on in one moment the earlier one.
    const enforced = providers
      .filter((provider) => provider.enabled && provider.enforced)
      .toSorted(
        (one, other) => Number(one.organisation_id === 0) - Number(other.organisation_id === 0) || other.id - one.id,
      )
    required = new Map(
      enforced.flatMap(({ slug, name, domains, organisation_id: organisationId }) =>
        domains.map((domain) => [domain, { slug, name, domain, organisationId }] as const),
      ),
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
    requiredFor(address) {
      const way = required.get(domainOf(address))
      return way?.organisationId === 0 || parts.organisationsMay() ? way : undefined
    },
    async changed() {
      parts.bus.publish(topic)
      await queue.run(read)
    },
    close: stop,
  }
}
