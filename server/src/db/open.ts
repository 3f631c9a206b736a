import type { Database, DatabaseAddress } from './database.ts'
import { openMysql } from './mysql.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite/open.ts'

/** Opens the database at an address and makes sure that it answers. Its tables come from `migrate`. */
export const openDatabase = async (address: DatabaseAddress): Promise<Database> => {
  switch (address.engine) {
    case 'sqlite':
      return openSqlite(address)
    case 'postgres':
      return openPostgres(address)
    case 'mysql':
      return openMysql(address)
  }
}
