/** The source id of the organisation that a team without one becomes, and of the project of keys that name a team alone. */
export const ofTeam = (teamId: string): string => `team:${teamId}`

/** The source id of the team and the project of keys that name an organisation and no team. */
export const ofOrganisation = (organisationId: string): string => `general:${organisationId}`

/** LiteLLM's own pages sign in with keys of this team, which is in no table. */
export const sessionTeam = 'litellm-dashboard'

/** LiteLLM's own rows among the users: the budget of the whole proxy. */
export const internalUsers: ReadonlySet<string> = new Set(['litellm-proxy-budget', 'litellm-proxy-master-key'])
