package webhooks_test

import "strings"

// refusedURLs spell or hide an address that is not public, or are otherwise not
// plain https URLs of a public name. None contains a public address, because a
// broken guard would dial it.
var refusedURLs = strings.Fields(`
	https://127.0.0.1/ https://127.0.0.1:8443/ https://127.0.0.2/ https://127.255.255.254/ https://127.0.0.1./
	https://localhost/
	https://LOCALHOST/ https://localhost./ https://sub.localhost/ https://localhost.localdomain.
	https://ip6-localhost/
	https://2130706433/ https://2130706433:8443/ https://017700000001/ https://0x7f000001/ https://0X7F000001/
	https://0x7f.0x0.0x0.0x1/
	https://0x7f.1/ https://0177.0.0.1/ https://0177.0.0.01/ https://0177.1/ https://127.1/ https://127.0.1/
	https://127.0x1/
	https://0x7f.0.0.01/ https://00000177.0.0.1/ https://127.000.000.001/ https://0x0000007f.1/
	https://127.0.0.1.0x0/
	https://0/ https://0.0.0.0/ https://0.0.0.0:8443/ https://0x0/ https://00/ https://0.1.2.3/
	https://10.0.0.1/ https://10.255.255.255/ https://172.16.0.1/ https://172.31.255.255/ https://192.168.0.1/
	https://192.168.1.254/
	https://3232235521/ https://0xc0a80001/ https://0300.0250.0.1/ https://167772161/ https://0x0a000001/
	https://100.64.0.1/ https://100.127.255.255/ https://100.100.100.200/ https://169.254.169.254/
	https://169.254.169.254/latest/meta-data/
	https://2852039166/ https://0xa9fea9fe/ https://0251.0376.0251.0376/ https://169.254.43518/
	https://169.254.170.2/ https://168.63.129.16/
	https://2822734096/ https://0xa83f8110/ https://192.0.0.1/ https://192.0.0.192/ https://192.0.2.1/
	https://198.51.100.1/
	https://203.0.113.1/ https://198.18.0.1/ https://198.19.255.255/ https://192.88.99.1/ https://224.0.0.1/
	https://239.255.255.255/
	https://240.0.0.1/ https://255.255.255.255/ https://255.255.255.255:8443/
	https://[::1]/ https://[::1]:8443/ https://[0:0:0:0:0:0:0:1]/
	https://[0000:0000:0000:0000:0000:0000:0000:0001]/ https://[::]/
	https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/ https://[0:0:0:0:0:ffff:127.0.0.1]/
	https://[::ffff:10.0.0.1]/
	https://[::ffff:169.254.169.254]/ https://[::ffff:168.63.129.16]/ https://[::ffff:a83f:8110]/
	https://[::127.0.0.1]/ https://[::7f00:1]/
	https://[::ffff:0:127.0.0.1]/ https://[64:ff9b::127.0.0.1]/ https://[64:ff9b::7f00:1]/
	https://[64:ff9b::a9fe:a9fe]/
	https://[64:ff9b:1::7f00:1]/ https://[2002:7f00:1::]/ https://[2002:a9fe:a9fe::1]/
	https://[2001:0:4136:e378:8000:63bf:80ff:fffe]/
	https://[2001:db8::1]/ https://[2001:10::1]/ https://[2001:20::1]/ https://[3fff::1]/ https://[100::1]/
	https://[5f00::1]/
	https://[fc00::1]/ https://[fd00:ec2::254]/ https://[fd00::1]/ https://[fec0::1]/ https://[fe80::1]/
	https://[fe80::1%25lo]/
	https://[fe80::1%25eth0]/ https://[::1%25lo]/ https://[fe80::1%lo]/ https://[ff02::1]/ https://[ff05::2]/
	https://[::5efe:7f00:1]/
	https://①②⑦.⓪.⓪.①/ https://①②⑦.0.0.1/ https://１２７.０.０.１/
	https://127。0。0。1/ https://127．0．0．1/
	https://127｡0｡0｡1/
	https://127%2e0%2e0%2e1/ https://%31%32%37.0.0.1/ https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/
	https://loc%61lhost/ https://ｌｏｃａｌｈｏｓｔ/
	https://١٢٧.٠.٠.١/ https://[①::1]/ https://example。com/ https://bücher.example/
	https://user@127.0.0.1/ https://user:secret@hooks.example.com/ https://hooks.example.com@127.0.0.1/
	https://hooks.example.com:443@127.0.0.1:8443/
	https://127.0.0.1@hooks.example.com/ https://@127.0.0.1/ https://:@hooks.example.com/
	https://hooks.example.com%40127.0.0.1/
	https://hooks.example.com#@127.0.0.1/ https://127.0.0.1#@hooks.example.com/ https://hooks.example.com/#
	https://hooks.example.com/#x
	https://hooks.example.com\@127.0.0.1/ https://127.0.0.1\@hooks.example.com/ https:\\127.0.0.1\
	https:/\127.0.0.1/ https://127.0.0.1\.example.com/
	https://hooks.example.com%23@127.0.0.1/ https://hooks.example.com%00.127.0.0.1/
	https://hooks.example.com%0d%0aHost:127.0.0.1/
	https:127.0.0.1 https:/127.0.0.1/ https:///127.0.0.1/ https:// https:///x https://? //127.0.0.1/ 127.0.0.1
	/etc/passwd x
	https://hooks.example.com:80/ https://hooks.example.com:22/ https://hooks.example.com:8080/
	https://hooks.example.com:0/
	https://hooks.example.com:/ https://hooks.example.com:99999/ https://hooks.example.com:-1/
	https://hooks.example.com:443:443/
	https://hooks.example.com:0443/ https://hooks.example.com:+443/ https://hooks.example.com:４４３/
	https://127.0.0.1:443:8443/
	http://hooks.example.com/ http://127.0.0.1/ http://127.0.0.1:443/ http://127.0.0.1:8443/ http://[::1]:8443/
	HTTP://hooks.example.com:443/
	gopher://127.0.0.1:8443/_x file:///etc/passwd file://localhost/etc/passwd ftp://127.0.0.1:443/
	ws://127.0.0.1:443/ wss://127.0.0.1/
	dict://127.0.0.1:443/ ldap://127.0.0.1:443/ unix:///run/x.sock data:text/plain,x javascript:alert(1)
	jar:https://127.0.0.1!/ tftp://127.0.0.1/
	httpss://127.0.0.1/ https+unix://127.0.0.1/ https://hooks..example.com/ https://.example.com/
	https://-a.example.com/ https://hooks/
	https://metadata.google.internal/ https://kubernetes.default.svc.cluster.local/ https://printer.local/
	https://x.home.arpa/ https://a.test/
	https://[hooks.example.com]/ https://[127.0.0.1]/ https://[::1/ https://::1/ https://::1]:443/
	https://*.example.com/ https://a,b.example.com/
`)

// spacedURLs are like refusedURLs, with spaces, on which strings.Fields splits.
var spacedURLs = []string{
	"", " ", " https://127.0.0.1/", "https://127.0.0.1/ ", "https://127.0.0.1\t/", "https://127.0.0.1\n",
	"https://hooks.example.com/\r\nX: y", "https://hooks.example.com /", "https://hooks.example.com\x00.127.0.0.1/",
	"https://hooks.example.com/a b", "\thttps://hooks.example.com/",
}

// internalAddresses has at least one of each kind of address that is not public.
var internalAddresses = []string{
	"127.0.0.1", "127.0.0.2", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "100.100.100.200",
	"169.254.169.254", "168.63.129.16", "192.0.0.192", "192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1",
	"224.0.0.1", "240.0.0.1", "255.255.255.255",
	"::1", "::", "::ffff:127.0.0.1", "::ffff:168.63.129.16", "::7f00:1", "64:ff9b::7f00:1", "64:ff9b:1::1",
	"2002:7f00:1::", "2001::7f00:1",
	"2001:db8::1", "3fff::1", "100::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1",
}
