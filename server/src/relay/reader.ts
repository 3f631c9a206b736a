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
 * Whether a key reads what another key made. A person's own keys read everything of that person. In an organisation a member's key
 * reads what this member made, and a machine's key what was made in its project. Rows from before makers were written have
 * project 0, and every key of their payer reads them. `db/made-by.ts` says the same in SQL.
 */
export const mayRead = ({ userId, project }: Reader, made: Maker): boolean => {
  if (userId !== made.userId) return false
  if (project === undefined || made.projectId === 0) return true
  return project.memberId === 0 ? project.id === made.projectId : project.memberId === made.memberId
}

/** Separates what is remembered for calls: by payer, and within an organisation by member, or by project for machines. */
export const scopeOf = ({ userId, project }: Pick<Reader, 'userId' | 'project'>): string => {
  if (project === undefined) return String(userId)
  return project.memberId === 0 ? `${userId} project ${project.id}` : `${userId} member ${project.memberId}`
}
