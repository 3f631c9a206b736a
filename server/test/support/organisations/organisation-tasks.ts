import type { OrganisationTasks } from '../../../src/http/organisation-tasks.ts'

/** Key 41 of project 7 and its member 3, on the wallet 40. */
export const placedKey = { id: 41, project_id: 7, member_id: 3 }

/** Organisation 5 is read by an owner, 6 by the member of key 41, and every other one by somebody without keys. */
export const testOrganisationTasks: OrganisationTasks = async (id) => ({
  reader: { userId: 40, ...(id === 5 ? {} : { tokenIds: id === 6 ? [placedKey.id] : [] }) },
  placed: (rows, keys) =>
    rows.map((row) => {
      const isPlaced = keys.get(row.id) === placedKey.id
      return {
        ...row,
        project_id: isPlaced ? placedKey.project_id : 0,
        member_id: isPlaced ? placedKey.member_id : 0,
      }
    }),
})
