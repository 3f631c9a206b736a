import { serverModules } from '../../../../modules/lists/servers.ts'
import type { ProvisionalSettling } from '../../features/declared-usage/declared-usage.ts'
import type { OlderLogs } from '../../features/logs/store.ts'
import type { ModuleRoute } from '../../gateway/module-calls.ts'
import type { BackgroundCalls } from '../../gateway/stored/background-calls.ts'
import type { ServedPath } from '../../http/listener.ts'
import type { Inspections, SwitchedCaptures } from '../../relay/captures.ts'
import type { GatewayKit, JoinedModule, ModuleKit } from './module-kit.ts'

/** All modules of a running server, seam by seam. */
export interface JoinedModules {
  readonly captures: readonly SwitchedCaptures[]
  readonly inspections: readonly Inspections[]
  readonly served: readonly ServedPath[]
  readonly calls: readonly ModuleRoute[]
  readonly background: BackgroundCalls | undefined
  readonly olderLogs: readonly OlderLogs[]
  readonly settlings: readonly ProvisionalSettling[]
  useGateway(gateway: GatewayKit): void
  close(): Promise<void>
}

/** Joins the server parts of all modules: the one place of the server that imports them. */
export const joinModules = async (kit: ModuleKit): Promise<JoinedModules> => {
  const joined: JoinedModule[] = []
  for (const join of serverModules) joined.push(await join(kit))
  return {
    captures: joined.flatMap(({ captures }) => captures ?? []),
    inspections: joined.flatMap(({ inspections }) => inspections ?? []),
    served: joined.flatMap(({ served }) => served ?? []),
    background: joined.find(({ background }) => background !== undefined)?.background,
    calls: joined.flatMap(({ calls }) => calls ?? []),
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
