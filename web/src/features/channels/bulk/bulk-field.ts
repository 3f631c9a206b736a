export type BulkField = 'tag' | 'priority' | 'weight'
