import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { agentRoutes } from './routes.ts'

/** Joins the settings of coding agents. */
export const join: JoinModule = ({ on, groups, options, channels, tokens, modelCards }) => {
  agentRoutes(on, {
    token: ({ id: userId, username, group }, ip, id) => tokens.get({ id: userId, username, group, ip }, id),
    modelsOf(caller, group) {
      const picture = channels.snapshot()
      const names = group === '' ? Object.keys(groups.usableGroups(caller.group)) : [group]
      return [...new Set(names.flatMap((name) => picture.modelsOf(name)))].sort()
    },
    cards: modelCards.list,
    address: () => options.get('ServerAddress'),
  })
  return {}
}
