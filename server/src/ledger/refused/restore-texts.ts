import type { Database } from '../../db/database.ts'
import type { JournalRecord } from '../../journal/journal-record.ts'
import { writeLogs } from '../apply/log-rows.ts'
import { taskTables, taskTextsOf, writeTasks } from '../apply/task-rows.ts'

interface Databases {
  readonly database: Database
  readonly logDatabase: Database
}

/** Rows that exist keep their figures and what has happened to them since. */
const restoreTask = async ({ database }: Databases, record: JournalRecord): Promise<void> => {
  const { task } = record
  if (task === undefined) return
  await writeTasks(database, [record])
  const set = taskTextsOf(task)
  await database.query.updateTable(taskTables[task.platform]).set(set).where('request_id', '=', record.id).execute()
}

const restoreLog = async (databases: Databases, record: JournalRecord): Promise<void> => {
  await writeLogs(databases, [record])
  await databases.logDatabase.query
    .updateTable('logs')
    .set({
      content: record.content,
      username: record.username,
      token_name: record.tokenName,
      model_name: record.model,
      group: record.group,
      ip: record.ip,
      other: record.other,
    })
    .where('request_id', '=', record.id)
    .execute()
}

/** Writes the texts of a refused record into its rows, which are created where missing. Throws errors of the database. */
export const restoreTexts = async (databases: Databases, record: JournalRecord, logged: boolean): Promise<void> => {
  await restoreTask(databases, record)
  if (logged) await restoreLog(databases, record)
}
