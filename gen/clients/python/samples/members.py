from urllib.parse import urlsplit
from uuid import uuid4

from assay import AuthenticatedClient, Client, models
from assay.api.auth import accept_invitation
from assay.api.members import (
    create_member,
    list_members,
    remove_member,
    resend_member_invitation,
    retrieve_member,
    update_member,
)
from client import ok


def members(anybody: Client, assay: AuthenticatedClient) -> None:
    email = f"grace-{uuid4()}@example.com"
    password = str(uuid4())

    # sample: createMember
    grace = models.MemberCreate(name="Grace Hopper", email=email, role=models.RoleInput.MEMBER)
    invited = ok(create_member.sync(client=assay, body=grace))
    print("send", invited.email, "the invitation_url before", invited.invitation_expires_at)
    # end sample

    member_id = invited.id
    # sample: resendMemberInvitation
    invitation_url = ok(resend_member_invitation.sync(member_id, client=assay)).invitation_url
    # end sample

    # sample: acceptInvitation
    acceptance = models.InvitationAcceptance(
        token=urlsplit(invitation_url).fragment, password=password
    )
    signed_in = ok(accept_invitation.sync(client=anybody, body=acceptance))
    print(signed_in.user.name, "has joined")
    # end sample

    # sample: listMembers
    for person in ok(list_members.sync(client=assay, limit=100)):
        print(person.name, person.role, person.status)
    # end sample

    # sample: updateMember
    promotion = models.MemberUpdate(role=models.RoleInput.ADMIN)
    ok(update_member.sync(member_id, client=assay, body=promotion))
    # end sample

    # sample: retrieveMember
    member = ok(retrieve_member.sync(member_id, client=assay))
    print(member.name, "is", member.role)
    # end sample

    # sample: removeMember
    ok(remove_member.sync(member_id, client=assay))
    # end sample
