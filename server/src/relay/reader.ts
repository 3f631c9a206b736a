import type { Caller } from './ports.ts'

/** A key, as far as it decides whose tasks, responses and conversations it reads. */
export type Reader = Pick<Caller, 'userId' | 'tokenId' | 'project'>

/** The key that made something: its payer, and the project and the member of a key of an organisation; 0 for none. */
export interface Maker {
  readonly userId: number
  readonly projectId: number
  readonly memberId: number
}

export const makerOf = ({ userId, project }: Reader): Maker => ({
  userId,
  projectId: project?.id ?? 0,
  memberId: project?.memberId ?? 0,
})

/**
 * True if a key reads what another key made. A person's own keys read everything of that person. In an organisation a member's key
 * reads what this member made, and a machine's key what was made in its project. A member's key whose secret others may know reads
 * what this member made in its project. Rows from before makers were written have project 0, and every key of their payer reads
 * them. `db/made-by.ts` says the same in SQL.
 */
export const mayRead = ({ userId, project }: Reader, made: Maker): boolean => {
  if (userId !== made.userId) return false
  if (project === undefined || made.projectId === 0) return true
  if (project.memberId === 0) return project.id === made.projectId
  return project.memberId === made.memberId && (project.isShared !== true || project.id === made.projectId)
}

/**
 * Separates what is remembered for calls: by payer, and within an organisation by member, by project for machines, and by both for
 * keys whose secret others may know.
 */
export const scopeOf = ({ userId, project }: Pick<Reader, 'userId' | 'project'>): string => {
  if (project === undefined) return String(userId)
  if (project.memberId === 0) return `${userId} project ${project.id}`
  const member = `${userId} member ${project.memberId}`
  return project.isShared === true ? `${member} project ${project.id}` : member
}
