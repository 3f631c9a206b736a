import {
  acceptOrganisationInvitation,
  changeProjectKey,
  createProjectKey,
  exportOrganisationStatement,
  foundOrganisation,
  getDomainProof,
  getOrganisation,
  getOrganisationSpend,
  getOrganisationStatement,
  getOwnProjects,
  getSiteOrganisation,
  inviteToOrganisation,
  joinOrganisation,
  listChannelFences,
  listOrganisationInvitations,
  listOrganisationLogs,
  listOrganisations,
  listProjectKeys,
  listSiteOrganisations,
  moveProjectKey,
  proveDomain,
  readProjectKeyLimits,
  removeMember,
  revealProjectKey,
  revokeOrganisationInvitation,
  rotateProjectKey,
  saveProject,
  saveTeam,
  setChannelFence,
  setMember,
  setSpendCap,
  showOrganisationInvitation,
  transferToOrganisation,
  updateOrganisation,
} from '@tollgate/contract'
import { actorOf, rankedActorOf } from '../../http/actor.ts'
import type { On } from '../../http/route.ts'
import { setCap } from './caps.ts'
import { putFence, readFences } from './channel-fences.ts'
import * as domainProof from './domains/domain-proof.ts'
import type { OrganisationInvitations } from './invitations.ts'
import type { ProjectKeys } from './keys.ts'
import { changeMember, dropMember } from './members.ts'
import type { Organisations } from './organisations.ts'
import { readOwnProjects } from './own-projects.ts'
import type { OrganisationParts, WalletLogs } from './parts.ts'
import { accessTo, type OrganisationAccess, siteAccessTo } from './rights.ts'
import { siteOrganisations } from './site.ts'
import { keysOf, readableKeys, spendOf } from './spend.ts'
import { statementCsv, statementOf } from './statement.ts'
import { putProject, putTeam } from './structure.ts'

export interface OrganisationRouteParts extends OrganisationParts {
  readonly organisations: Organisations
  readonly invitations: OrganisationInvitations
  readonly keys: ProjectKeys
  readonly logs: WalletLogs
}

/** The calls for organisations: each begins with the caller's place in the one that it names. */
export const organisationRoutes = (on: On, parts: OrganisationRouteParts): void => {
  const { organisations, invitations, keys } = parts
  const { query: read } = parts.database
  const access = (call: { params: { id: number }; caller: { id: number } }): Promise<OrganisationAccess> =>
    accessTo(read, call.params.id, call.caller.id)

  on(listOrganisations, async (call) => ({ data: await organisations.list(rankedActorOf(call)) }))
  on(foundOrganisation, async (call) => ({ data: { id: await organisations.found(rankedActorOf(call), call.body) } }))
  on(listSiteOrganisations, async ({ query }) => ({ data: await siteOrganisations(read, query.keyword) }))
  on(getSiteOrganisation, async (call) => ({
    data: await organisations.get(await siteAccessTo(read, call.params.id, call.caller.id)),
  }))
  on(listChannelFences, async (call) => ({
    data: await readFences(read, await siteAccessTo(read, call.params.id, call.caller.id)),
  }))
  on(setChannelFence, async (call) => {
    const place = await siteAccessTo(read, call.params.id, call.caller.id)
    await putFence(parts, place, actorOf(call), call.body)
    return {}
  })
  on(getOrganisation, async (call) => ({ data: await organisations.get(await access(call)) }))
  on(updateOrganisation, async (call) => {
    await organisations.update(await access(call), rankedActorOf(call), call.body)
    return {}
  })
  on(getDomainProof, async (call) => ({
    data: await domainProof.showDomainProof(parts, await access(call), call.query.domain),
  }))
  on(proveDomain, async (call) => {
    await domainProof.proveDomain(parts, await access(call), actorOf(call), call.body.domain)
    return {}
  })
  on(transferToOrganisation, async (call) => {
    await organisations.transfer(await access(call), rankedActorOf(call), call.body)
    return {}
  })
  on(saveTeam, async (call) => ({ data: { id: await putTeam(parts, await access(call), actorOf(call), call.body) } }))
  on(saveProject, async (call) => ({
    data: { id: await putProject(parts, await access(call), actorOf(call), call.body) },
  }))
  on(setMember, async (call) => {
    await changeMember(parts, await access(call), actorOf(call), call.body)
    return {}
  })
  on(removeMember, async (call) => {
    await dropMember(parts, await access(call), actorOf(call), call.body.user_id)
    return {}
  })
  on(setSpendCap, async (call) => {
    await setCap(parts, await access(call), actorOf(call), call.body)
    return {}
  })
  on(listOrganisationInvitations, async (call) => ({ data: await invitations.list(await access(call)) }))
  on(inviteToOrganisation, async (call) => ({
    data: await invitations.invite(await access(call), actorOf(call), call.body, call.language),
  }))
  on(revokeOrganisationInvitation, async (call) => {
    await invitations.revoke(await access(call), actorOf(call), call.body.invitation_id)
    return {}
  })
  on(showOrganisationInvitation, async ({ body }) => ({ data: await invitations.show(body.secret) }))
  on(acceptOrganisationInvitation, async (call) => ({
    data: { id: await invitations.accept(actorOf(call), call.body.secret) },
  }))
  on(joinOrganisation, async (call) => {
    await invitations.joinByDomain(actorOf(call), call.body.organisation_id)
    return {}
  })
  on(listProjectKeys, async (call) => ({ data: await keys.list(await access(call)) }))
  on(readProjectKeyLimits, async (call) => ({ data: await keys.limits(await access(call), call.query.key) }))
  on(createProjectKey, async (call) => ({ data: await keys.create(await access(call), actorOf(call), call.body) }))
  on(changeProjectKey, async (call) => {
    await keys.change(await access(call), actorOf(call), call.body)
    return {}
  })
  on(moveProjectKey, async (call) => ({ data: { id: await keys.move(await access(call), actorOf(call), call.body) } }))
  on(revealProjectKey, async (call) => ({
    data: { key: await keys.reveal(await access(call), actorOf(call), call.body.key_id) },
  }))
  on(rotateProjectKey, async (call) => ({
    data: await keys.rotate(await access(call), actorOf(call), call.body.key_id),
  }))
  on(getOwnProjects, async ({ caller }) => ({ data: await readOwnProjects(read, keys, caller.id) }))
  on(getOrganisationStatement, async (call) => ({ data: await statementOf(parts, await access(call), call.query) }))
  on(exportOrganisationStatement, async (call) => {
    const place = await access(call)
    const statement = await statementOf(parts, place, call.query)
    const name = `statement-${place.organisationId}-${statement.month}.csv`
    return { file: { name, type: 'text/csv; charset=utf-8', parts: statementCsv(statement) } }
  })
  on(getOrganisationSpend, async (call) => {
    const place = await access(call)
    return { data: await spendOf(read, place, await readableKeys(read, place), call.query) }
  })
  on(listOrganisationLogs, async (call) => {
    const place = await access(call)
    const readable = await readableKeys(read, place)
    const tokenIds = keysOf(readable, call.query)
    const page = await parts.logs.list({ userId: place.walletId, tokenIds, language: call.language }, call.query)
    const byId = new Map(readable.map((key) => [key.id, key]))
    const items = page.items.map((item) => {
      const key = byId.get(item.token_id)
      return { ...item, project_id: key?.projectId ?? 0, member_id: key?.memberId ?? 0 }
    })
    return { data: { ...page, items } }
  })
}
