import type { Caller } from './ports.ts'

/** A key, as far as it decides whose tasks, responses and conversations it reads. */
export type Reader = Pick<Caller, 'userId' | 'tokenId' | 'project'>

/** The key that made something: its payer, and the project and the member of a key of an organisation; 0 for none. */
export interface Maker {
  readonly userId: number
  /** 0 where it is not known. */
  readonly tokenId: number
  readonly projectId: number
  readonly memberId: number
}

/** Maker of objects that a key creates. */
export const makerOf = ({ userId, tokenId, project }: Reader): Maker => ({
  userId,
  tokenId,
  projectId: project?.id ?? 0,
  memberId: project?.memberId ?? 0,
})

/**
 * True if a key may read objects of another key. A person's own keys read all objects of that person. In an organisation a member's key
 * reads the objects of this member, and a machine's key those of its project. A member's key whose secret others may know reads the
 * member's objects in its project. A machine's key whose secret is known to a person without access to the project reads only its own
 * objects. Rows from before makers were stored have project 0, and every other key of their payer reads them. `db/made-by.ts` has the
 * same rule in SQL.
 */
export const mayRead = ({ userId, tokenId, project }: Reader, made: Maker): boolean => {
  if (userId !== made.userId) return false
  if (project === undefined) return true
  if (project.memberId === 0 && project.isShared === true) return tokenId === made.tokenId
  if (made.projectId === 0) return true
  if (project.memberId === 0) return project.id === made.projectId
  return project.memberId === made.memberId && (project.isShared !== true || project.id === made.projectId)
}

/**
 * Separates what is remembered for calls: by payer, and within an organisation by member, by project for machines, by both for
 * a person's keys whose secret others may know, and by key for such keys of machines.
 */
export const scopeOf = ({ userId, tokenId, project }: Reader): string => {
  if (project === undefined) return String(userId)
  if (project.memberId === 0 && project.isShared === true) return `${userId} key ${tokenId}`
  if (project.memberId === 0) return `${userId} project ${project.id}`
  const member = `${userId} member ${project.memberId}`
  return project.isShared === true ? `${member} project ${project.id}` : member
}
