import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import { type Assay, ok } from "../client.js";
import type { paths } from "../generated/assay.js";

export async function members(assay: Assay, baseUrl: string): Promise<void> {
  const email = `grace-${randomUUID()}@example.com`;
  const password = randomUUID();

  // sample: createMember
  const invited = await ok(
    assay.POST("/v1/members", { body: { name: "Grace Hopper", email, role: "MEMBER" } }),
  );
  console.log(`send ${invited.email} the invitationUrl before ${invited.invitationExpiresAt}`);
  // end sample

  const { id: memberId } = invited;
  // sample: resendMemberInvitation
  const { invitationUrl } = await ok(
    assay.POST("/v1/members/{id}/resend", { params: { path: { id: memberId } } }),
  );
  // end sample

  // sample: acceptInvitation
  const token = new URL(invitationUrl).hash.slice(1);
  const anybody = createClient<paths>({ baseUrl });
  const login = await ok(anybody.POST("/v1/auth/accept-invitation", { body: { token, password } }));
  console.log(`${login.user.name} has joined`);
  // end sample

  // sample: listMembers
  const members = await ok(assay.GET("/v1/members", { params: { query: { limit: 100 } } }));
  for (const member of members) console.log(`${member.name}, ${member.role}, ${member.status}`);
  // end sample

  // sample: updateMember
  await ok(
    assay.PATCH("/v1/members/{id}", {
      params: { path: { id: memberId } },
      body: { role: "ADMIN" },
    }),
  );
  // end sample

  // sample: retrieveMember
  const member = await ok(assay.GET("/v1/members/{id}", { params: { path: { id: memberId } } }));
  console.log(`${member.name} is ${member.role}`);
  // end sample

  // sample: removeMember
  await ok(assay.DELETE("/v1/members/{id}", { params: { path: { id: memberId } } }));
  // end sample
}
