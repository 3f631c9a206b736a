export type Asked = 'tag' | 'priority' | 'weight'
