import type { SiteCardRule } from '@tollgate/contract/records/site-cards'
import { serverModules } from '../../../../modules/lists/servers.ts'
import type { ProvisionalSettling } from '../../features/declared-usage/declared-usage.ts'
import type { OlderLogs } from '../../features/logs/store.ts'
import { type GatewayKit, joinedSides, type ModuleSide } from '../../gateway/module-side.ts'
import type { ServedPath } from '../../http/listener.ts'
import type { Inspections, SwitchedCaptures } from '../../relay/captures.ts'
import type { JoinedModule, ModuleKit } from './module-kit.ts'

/** All modules of a running server, seam by seam. */
export interface JoinedModules extends Required<ModuleSide> {
  readonly captures: readonly SwitchedCaptures[]
  readonly inspections: readonly Inspections[]
  readonly served: readonly ServedPath[]
  readonly olderLogs: readonly OlderLogs[]
  readonly settlings: readonly ProvisionalSettling[]
  useGateway(gateway: GatewayKit): void
  close(): Promise<void>
}

/** Joins the server parts of all modules: the one place of the server that imports them. `siteCards` are the kernel's own rules. */
export const joinModules = async (
  parts: Omit<ModuleKit, 'siteCards'> & { readonly siteCards: readonly SiteCardRule[] },
): Promise<JoinedModules> => {
  const joined: JoinedModule[] = []
  const kit: ModuleKit = {
    ...parts,
    siteCards: () => [...parts.siteCards, ...joined.flatMap(({ siteCards }) => siteCards ?? [])],
  }
  for (const join of serverModules) joined.push(await join(kit))
  return {
    captures: joined.flatMap(({ captures }) => captures ?? []),
    inspections: joined.flatMap(({ inspections }) => inspections ?? []),
    served: joined.flatMap(({ served }) => served ?? []),
    ...joinedSides(joined),
    olderLogs: joined.flatMap(({ olderLogs }) => olderLogs ?? []),
    settlings: joined.flatMap(({ settling }) => settling ?? []),
    useGateway(gateway) {
      for (const module of joined) module.useGateway?.(gateway)
    },
    async close() {
      for (const module of joined.toReversed()) await module.close?.()
    },
  }
}
