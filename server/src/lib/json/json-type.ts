/** True if a content type is that of one JSON value. Lines of JSON (`jsonl`, `ndjson`, `json-seq`) are many, and come as they are made. */
export const isJsonType = (contentType: string): boolean => /(?<!nd)json(?!l|-seq)/i.test(contentType)
