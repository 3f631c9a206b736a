/** KEYS: tip. ARGV: highest entry, then id and movement of an entry that was seen, or nothing. Answers 1 when Redis knew no higher one. */
export const raiseTipScript = `
local known = tonumber(redis.call('HGET', KEYS[1], 'highest') or '0')
local highest = tonumber(ARGV[1])
if highest > known then redis.call('HSET', KEYS[1], 'highest', ARGV[1]) end
if ARGV[2] and tonumber(ARGV[2]) > tonumber(redis.call('HGET', KEYS[1], 'id') or '0') then
  redis.call('HSET', KEYS[1], 'id', ARGV[2], 'movement', ARGV[3])
end
redis.call('EXPIRE', KEYS[1], 604800)
return highest >= known and 1 or 0
`

/**
 * KEYS: the sorted set of nodes. No node counts as alive in a closed epoch: the entry without a name, which no silence
 * removes, keeps nodes from coming back.
 */
export const closeEpochScript = `
redis.call('DEL', KEYS[1])
redis.call('ZADD', KEYS[1], '+inf', '')
redis.call('EXPIRE', KEYS[1], 604800)
`
