import { shortText } from '../../lib/bounded-text.ts'
import type { CallFacts } from '../call.ts'
import type { Caller } from '../ports.ts'
import type { JobOwner } from './ports.ts'

/** UTF-16 units of the path in the log. */
const longestPath = 200

/** Payer of a job, as its charge records it. */
export const ownerOf = (caller: Caller, facts: Pick<CallFacts, 'ip' | 'path' | 'program' | 'endUser'>): JobOwner => {
  const { username, tokenName, tokenUnlimited, group, caps, project, tags } = caller
  const { ip, path, program, endUser } = facts
  return {
    username,
    tokenName,
    tokenUnlimited,
    group,
    ip,
    path: shortText(path, longestPath),
    ...(program === undefined ? {} : { program }),
    ...(endUser === undefined ? {} : { endUser }),
    ...(tags === undefined ? {} : { tags }),
    ...(caps === undefined ? {} : { caps }),
    ...(project === undefined
      ? {}
      : { project: { id: project.id, teamId: project.teamId, memberId: project.memberId } }),
  }
}
