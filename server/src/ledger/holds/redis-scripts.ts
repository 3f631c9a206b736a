/**
 * An account is a hash: `b` the balance as the database has it, `v` its version, `u` whether it is unlimited, and `p:<node>`
 * what each node has pending. KEYS[1] is always the sorted set of nodes with the time of their last sign of life; ARGV[1]
 * the node that speaks, ARGV[2] after how many milliseconds of silence a node counts as dead.
 */
const common = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local me = ARGV[1]
local grace = tonumber(ARGV[2])
local function alive(node)
  local beat = redis.call('ZSCORE', KEYS[1], node)
  return beat and now - tonumber(beat) <= grace
end
local function whole(number)
  return string.format('%.0f', number)
end
local function add(key, amount)
  if amount == 0 then return end
  local share = redis.call('HGET', key, 'p:' .. me)
  if not share and amount < 0 then return end
  local sum = tonumber(share or '0') + amount
  if sum <= 0 then redis.call('HDEL', key, 'p:' .. me) else redis.call('HSET', key, 'p:' .. me, whole(sum)) end
end
local function take(key, balance, version, unlimited)
  local known = redis.call('HGET', key, 'v')
  if known and tonumber(known) > tonumber(version) then return end
  redis.call('HSET', key, 'b', balance, 'v', version, 'u', unlimited)
end
local function keep(key)
  redis.call('EXPIRE', key, 86400)
end
`

/**
 * KEYS: nodes, user, token or nothing. ARGV[3] amount, ARGV[4] whether the token is unlimited: 1, 0 or ? to look it up,
 * ARGV[5] what must be available beyond the amount, ARGV[6] 1 for more of a hold that was granted already.
 */
export const reserveScript = `${common}
if not alive(me) then return {'lost'} end
local function available(key)
  local fields = redis.call('HGETALL', key)
  local balance
  local pending = 0
  for index = 1, #fields, 2 do
    local name = fields[index]
    if name == 'b' then balance = tonumber(fields[index + 1]) end
    if string.sub(name, 1, 2) == 'p:' then
      if alive(string.sub(name, 3)) then pending = pending + tonumber(fields[index + 1])
      else redis.call('HDEL', key, name) end
    end
  end
  return balance and balance - pending
end
local amount = tonumber(ARGV[3])
local needed = amount + tonumber(ARGV[5])
local function refuses(left)
  return (left <= 0 and ARGV[6] ~= '1') or left < needed
end
local user = available(KEYS[2])
if not user then return {'unknown'} end
if refuses(user) then return {'refused', 'user', whole(user)} end
local checked = false
if KEYS[3] and ARGV[4] ~= '1' then
  local token = available(KEYS[3])
  if not token then return {'unknown'} end
  checked = ARGV[4] == '0' or redis.call('HGET', KEYS[3], 'u') ~= '1'
  if checked and refuses(token) then return {'refused', 'token', whole(token)} end
end
add(KEYS[2], amount)
keep(KEYS[2])
if not checked then return {'held', 'user'} end
add(KEYS[3], amount)
keep(KEYS[3])
return {'held', 'token'}
`

/**
 * KEYS: nodes, then accounts. ARGV from 3 on, four per account: what to add to this node's pending, and balance, version
 * and unlimited, or an empty balance where only pending changes. Both change in one step.
 */
export const changeScript = `${common}
for index = 2, #KEYS do
  local at = 3 + (index - 2) * 4
  add(KEYS[index], tonumber(ARGV[at]))
  if ARGV[at + 1] ~= '' then take(KEYS[index], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]) end
  keep(KEYS[index])
end
`

/** KEYS: nodes, then accounts whose balance is in doubt. The version stays: an older balance must not come back. */
export const doubtScript = `${common}
for index = 2, #KEYS do redis.call('HDEL', KEYS[index], 'b') end
`

/** Shows that the node lives; answers 1 when it had not been taken for dead meanwhile and the epoch is not closed (`epoch/epoch-scripts.ts`). */
export const beatScript = `${common}
if redis.call('ZSCORE', KEYS[1], '') then return 0 end
local lived = alive(me)
redis.call('ZADD', KEYS[1], now, me)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - grace * 10)
return lived and 1 or 0
`

/** KEYS: nodes, then accounts; ARGV from 3 on what this node has pending in each, replacing what is there. */
export const shareScript = `${common}
if redis.call('ZSCORE', KEYS[1], '') then return end
redis.call('ZADD', KEYS[1], now, me)
for index = 2, #KEYS do
  local share = tonumber(ARGV[index + 1])
  if share > 0 then redis.call('HSET', KEYS[index], 'p:' .. me, whole(share)) else redis.call('HDEL', KEYS[index], 'p:' .. me) end
  keep(KEYS[index])
end
`

/** Forgets silent nodes whose name begins with ARGV[3] and that have not shown life for ARGV[4] milliseconds. */
export const forgetScript = `${common}
local beats = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
for index = 1, #beats, 2 do
  local node = beats[index]
  local silent = now - tonumber(beats[index + 1]) > tonumber(ARGV[4])
  if node ~= me and silent and string.sub(node, 1, #ARGV[3]) == ARGV[3] then redis.call('ZREM', KEYS[1], node) end
end
`
