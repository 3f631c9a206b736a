/**
 * Lua for sliding windows that nodes share, one sorted set of timestamps per key. Callers pass the time: the clocks of nodes are
 * expected to agree within a second or so.
 *
 * ARGV: now in ms, a text unique to the call, then per key its window in ms, the largest number, and 1 to count the call.
 * If a key is full, counts nothing and returns its index (from 1); else returns 0.
 */
export const windowScript = `
local now = tonumber(ARGV[1])
for i, key in ipairs(KEYS) do
  local at = 3 * i
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - tonumber(ARGV[at]))
  if redis.call('ZCARD', key) >= tonumber(ARGV[at + 1]) then return i end
end
for i, key in ipairs(KEYS) do
  local at = 3 * i
  if ARGV[at + 2] == '1' then
    redis.call('ZADD', key, now, ARGV[2])
    redis.call('PEXPIRE', key, ARGV[at])
  end
end
return 0
`
