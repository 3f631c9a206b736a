import type { ChannelPicture, ModelCards, TokenService } from '../../app/noun-types.ts'
import type { FeatureKit } from '../../app/parts.ts'
import { agentRoutes } from './routes.ts'

export interface AgentNeeds {
  readonly channels: { snapshot(): ChannelPicture }
  readonly tokens: Pick<TokenService, 'get'>
  readonly cards: Pick<ModelCards, 'list'>
}

/** Joins the settings of coding agents. */
export const joinAgents = (
  { groups, options, on }: Pick<FeatureKit, 'groups' | 'options' | 'on'>,
  { channels, tokens, cards }: AgentNeeds,
): void =>
  agentRoutes(on, {
    token: ({ id: userId, username, group }, ip, id) => tokens.get({ id: userId, username, group, ip }, id),
    modelsOf(caller, group) {
      const picture = channels.snapshot()
      const names = group === '' ? Object.keys(groups.usableGroups(caller.group)) : [group]
      return [...new Set(names.flatMap((name) => picture.modelsOf(name)))].sort()
    },
    cards: cards.list,
    address: () => options.get('ServerAddress'),
  })
