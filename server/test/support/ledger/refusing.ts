import { sql } from 'kysely'
import type { Database } from '../../../src/db/database.ts'

/** A text that `refuseTexts` makes the database refuse. */
export const refusedWord = 'unwanted'

/** Makes the database refuse rows whose `column` holds `refusedWord`; answers how to make it take them again. */
export const refuseTexts = async (
  { engine, query }: Database,
  table: string,
  column: string,
): Promise<() => Promise<void>> => {
  const name = `refuse_${table}_${column}`
  const test = `%${refusedWord}%`
  if (engine === 'sqlite') {
    await sql
      .raw(
        `create trigger ${name} before insert on ${table} when new."${column}" like '${test}' begin select raise(abort, 'refused by a rule'); end`,
      )
      .execute(query)
    await sql
      .raw(
        `create trigger ${name}_update before update on ${table} when new."${column}" like '${test}' begin select raise(abort, 'refused by a rule'); end`,
      )
      .execute(query)
    return async () => {
      for (const trigger of [name, `${name}_update`]) await sql.raw(`drop trigger ${trigger}`).execute(query)
    }
  }
  await sql.raw(`alter table ${table} add constraint ${name} check (${column} not like '${test}')`).execute(query)
  return async () => {
    await sql.raw(`alter table ${table} drop constraint ${name}`).execute(query)
  }
}
