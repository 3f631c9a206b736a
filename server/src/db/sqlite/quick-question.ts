import { sql } from 'kysely'

const words = '/* quick */'

/**
 * At the end of a question that unique keys answer, `modifyEnd(quickQuestion)`. SQLite's writer answers it when it has nothing else
 * to do, so that the first call after a rest waits for no thread to begin. A comment to every engine.
 */
export const quickQuestion = sql.raw(words)

export const isQuickQuestion = (statement: string): boolean => statement.endsWith(words)
