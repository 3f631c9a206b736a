import { tokenStatus, userStatus } from '@tollgate/contract'
import { type CapPeriod, capAccount } from '../../../ledger/caps/cap-accounts.ts'
import type { TokenRecord } from '../../../relay/callers.ts'
import type { HeldCap } from '../../../relay/ports.ts'
import { channelFence } from '../../../relay/routing/channel-fence.ts'

/** Columns of a key's project, team and member; null for a key without them. */
export interface ProjectColumns {
  readonly project_id: number
  readonly team_id: number | null
  readonly member_id: number
  /** User who was shown the secret: the member if no one else was, or the maker of a machine's key. 0 if unknown. */
  readonly secret_for: number
  /** A number where `secret_for` may use the project of a machine's key. */
  readonly secret_place: number | null
  readonly member_status: number | null
  /** A number where the identity provider of the organisation has suspended the member. */
  readonly member_suspension: number | null
  readonly project_models: string | null
  readonly project_archived: number | null
  readonly team_models: string | null
  readonly team_archived: number | null
  readonly organisation_archived: number | null
  readonly organisation_models: string | null
  readonly project_channels: string | null
  readonly team_channels: string | null
  readonly organisation_channels: string | null
  readonly member_cap_id: number | null
  readonly member_cap_period: string | null
  readonly project_cap_id: number | null
  readonly project_cap_period: string | null
}

interface KeyColumns extends Partial<ProjectColumns> {
  readonly status: number
  readonly model_limits_enabled: number
  readonly model_limits: string
}

const namesOf = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

const isOff = (row: KeyColumns): boolean => {
  const { project_id = 0, member_id = 0, member_status } = row
  if (project_id === 0) return false
  if (member_id !== 0 && (member_status !== userStatus.enabled || typeof row.member_suspension === 'number'))
    return true
  return [row.project_archived, row.team_archived, row.organisation_archived].some((time) => typeof time === 'number')
}

/** A key is off where its project is archived, or its member banned, suspended or gone. */
export const statusInProject = (row: KeyColumns): number =>
  row.status === tokenStatus.enabled && isOff(row) ? tokenStatus.disabled : row.status

/** The models that the key, its project, its team and its organisation all allow; undefined for every model. */
export const fencedModels = (row: KeyColumns): ReadonlySet<string> | undefined => {
  const lists = [
    ...(row.model_limits_enabled === 1 ? [namesOf(row.model_limits)] : []),
    ...[row.project_models, row.team_models, row.organisation_models].flatMap((list) => (list ? [namesOf(list)] : [])),
  ]
  const [first, ...others] = lists
  return first && new Set(first.filter((name) => others.every((list) => list.includes(name))))
}

const periods: ReadonlySet<string> = new Set<CapPeriod>(['day', 'month', 'total'])
const isPeriod = (text: string | null | undefined): text is CapPeriod =>
  text !== null && text !== undefined && periods.has(text)

/** The project of a key, its team and its member; nothing for keys without. */
export const projectOf = ({
  project_id: id = 0,
  team_id: teamId,
  member_id: memberId = 0,
  secret_for: secretFor = 0,
  secret_place: secretPlace,
  ...row
}: Partial<ProjectColumns>): Pick<TokenRecord, 'project'> => {
  if (id === 0) return {}
  const channels = channelFence([row.organisation_channels, row.team_channels, row.project_channels])
  const isLeft = secretFor !== 0 && typeof secretPlace !== 'number'
  const isShared = memberId === 0 ? isLeft : secretFor !== memberId
  const project = { id, teamId: teamId ?? 0, memberId, ...(channels && { channels }) }
  return { project: isShared ? { ...project, isShared } : project }
}

/** The spending caps of a key; nothing for keys without. */
export const projectCaps = (row: Partial<ProjectColumns>): Pick<TokenRecord, 'capsAt'> => {
  const caps: { id: number; period: CapPeriod; of: HeldCap['of'] }[] = []
  const add = (id: number | null | undefined, period: string | null | undefined, of: HeldCap['of']): void => {
    if (typeof id === 'number' && isPeriod(period)) caps.push({ id, period, of })
  }
  add(row.member_cap_id, row.member_cap_period, 'member')
  add(row.project_cap_id, row.project_cap_period, 'project')
  if (caps.length === 0) return {}
  return { capsAt: (now) => caps.map((cap) => ({ id: capAccount(cap, now), of: cap.of })) }
}
