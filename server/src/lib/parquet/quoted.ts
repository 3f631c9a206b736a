/** A path or another text as DuckDB reads it between quotes; it knows no escapes but the doubled quote. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
