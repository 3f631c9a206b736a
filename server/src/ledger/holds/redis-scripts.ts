/**
 * An account is a hash: `b` the balance as the database has it, `v` its version, `u` whether it is unlimited, `p:<node>`
 * each node's share, which is what it has pending and what is left of its lease, and `l:<node>` the number of the last lease that a
 * node has not returned. KEYS[1] is always the sorted set of nodes with the time of their last sign of life; ARGV[1]
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
-- What nobody has pending or leased, undefined without a balance; then how many other nodes have leases. What a dead node had pending
-- may be in the database already, without its news: then the balance has to be read again.
local function available(key)
  local fields = redis.call('HGETALL', key)
  local balance
  local pending = 0
  local leased = 0
  local doubtful = false
  for index = 1, #fields, 2 do
    local name = fields[index]
    local kind = string.sub(name, 1, 2)
    if name == 'b' then balance = tonumber(fields[index + 1]) end
    if kind == 'p:' or kind == 'l:' then
      local node = string.sub(name, 3)
      if not alive(node) then
        redis.call('HDEL', key, name)
        if kind == 'p:' then doubtful = true end
      elseif kind == 'p:' then pending = pending + tonumber(fields[index + 1])
      elseif node ~= me then leased = leased + 1 end
    end
  end
  if doubtful then
    redis.call('HDEL', key, 'b')
    balance = nil
  end
  return balance and balance - pending, leased
end
`

/**
 * KEYS: nodes, then accounts in the order in which they are checked. ARGV[3] amount, ARGV[4] what must be available beyond it,
 * ARGV[5] 1 for more of a hold that was granted already, then one per account: 1 where it only counts if it is not unlimited.
 * Answers the places of the accounts that hold the amount, from 0, or the place of the one that refuses and what it has left.
 */
export const reserveScript = `${common}
if not alive(me) then return {'lost'} end
local amount = tonumber(ARGV[3])
local needed = amount + tonumber(ARGV[4])
local function refuses(left)
  return (left <= 0 and ARGV[5] ~= '1') or left < needed
end
local answer = {'held'}
for index = 2, #KEYS do
  local left, leased = available(KEYS[index])
  if not left then return {'unknown'} end
  local skipped = ARGV[index + 4] == '1' and redis.call('HGET', KEYS[index], 'u') == '1'
  if not skipped then
    if refuses(left) then return {'refused', whole(index - 2), whole(left), whole(leased)} end
    answer[#answer + 1] = whole(index - 2)
  end
end
for index = 2, #answer do
  local key = KEYS[tonumber(answer[index]) + 2]
  add(key, amount)
  keep(key)
end
return answer
`

/**
 * KEYS: nodes, account. ARGV from 3 on: the lease's number, what the node has left and wants to have, and less than what is no lease.
 * Answers what is granted and the most that the node should have, which is `largestLease` of `lib/leases`.
 */
export const leaseScript = `${common}
if not alive(me) then return {'0', '0'} end
local rest = available(KEYS[2])
if not rest then return {'0', '0'} end
local left = tonumber(ARGV[4])
local nodes = redis.call('ZCOUNT', KEYS[1], now - grace, '+inf')
local most = math.floor((rest + left) / (2 * math.max(1, nodes)))
if most < math.max(1, tonumber(ARGV[6])) then most = 0 end
most = math.min(most, tonumber(ARGV[5]))
local granted = math.max(0, most - left)
if granted > 0 then
  add(KEYS[2], granted)
  redis.call('HSET', KEYS[2], 'l:' .. me, ARGV[3])
  keep(KEYS[2])
end
return {whole(granted), whole(most)}
`

/**
 * KEYS: nodes, then accounts. ARGV from 3 on, five per account: what to add to this node's share, and balance, version
 * and unlimited, or an empty balance where only the share changes, and the number of the last lease that is returned, or 0.
 * All change in one step. Answers which accounts (from 1) have a new balance that is less than all shares while one of them has a lease.
 */
export const changeScript = `${common}
local short = {}
for index = 2, #KEYS do
  local key = KEYS[index]
  local at = 3 + (index - 2) * 5
  add(key, tonumber(ARGV[at]))
  local lease = redis.call('HGET', key, 'l:' .. me)
  if lease and tonumber(lease) <= tonumber(ARGV[at + 4]) then
    redis.call('HDEL', key, 'l:' .. me)
    lease = false
  end
  if ARGV[at + 1] ~= '' then
    take(key, ARGV[at + 1], ARGV[at + 2], ARGV[at + 3])
    local rest, leased = available(key)
    if rest and rest < 0 and (lease or leased > 0) then short[#short + 1] = index - 1 end
  end
  keep(key)
end
return short
`

/** KEYS: nodes, then accounts. Answers of which of them (from 1) other nodes have leases. */
export const leasedScript = `${common}
local leased = {}
for index = 2, #KEYS do
  local _, others = available(KEYS[index])
  if others > 0 then leased[#leased + 1] = index - 1 end
end
return leased
`

/** KEYS: nodes, then accounts whose balance is in doubt. The version stays: an older balance must not come back. */
export const doubtScript = `${common}
for index = 2, #KEYS do redis.call('HDEL', KEYS[index], 'b') end
`

/** Shows that the node lives; answers 1 when it had not been taken for dead meanwhile and the epoch is not closed (`closeEpochScript`). */
export const beatScript = `${common}
if redis.call('ZSCORE', KEYS[1], '') then return 0 end
local lived = alive(me)
redis.call('ZADD', KEYS[1], now, me)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - grace * 10)
return lived and 1 or 0
`

/** KEYS: nodes, then accounts; ARGV from 3 on, two for each: this node's share and its lease's number or 0, replacing what is there. */
export const shareScript = `${common}
if redis.call('ZSCORE', KEYS[1], '') then return end
redis.call('ZADD', KEYS[1], now, me)
for index = 2, #KEYS do
  local at = 3 + (index - 2) * 2
  local share = tonumber(ARGV[at])
  if share > 0 then redis.call('HSET', KEYS[index], 'p:' .. me, whole(share)) else redis.call('HDEL', KEYS[index], 'p:' .. me) end
  if ARGV[at + 1] ~= '0' then redis.call('HSET', KEYS[index], 'l:' .. me, ARGV[at + 1]) else redis.call('HDEL', KEYS[index], 'l:' .. me) end
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
