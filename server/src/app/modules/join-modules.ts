import { serverModules } from '../../../../modules/lists/servers.ts'
import type { JoinedModule, ModuleKit } from './module-kit.ts'

/** Joins the server parts of all modules: the one place of the server that imports them. */
export const joinModules = async (kit: ModuleKit): Promise<Required<Pick<JoinedModule, 'close'>>> => {
  const joined: JoinedModule[] = []
  for (const join of serverModules) joined.push(await join(kit))
  return {
    async close() {
      for (const module of joined.toReversed()) await module.close?.()
    },
  }
}
